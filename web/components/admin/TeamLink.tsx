// A row's team in a list of the admin area, leading to it. Server only.

export function TeamLink({ id, names }: { id: string; names: Record<string, string> }) {
  return (
    <a href={`/admin/teams/${id}`} className="block max-w-48 truncate rounded-sm text-muted hover:underline">
      {names[id] ?? id}
    </a>
  );
}
