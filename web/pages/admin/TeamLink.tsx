// A link to a row's team in an admin list. Server only.

export function TeamLink({ id, names }: { id: string; names: Record<string, string> }) {
  return (
    <a href={`/admin/teams/${id}`} className="block max-w-48 truncate rounded-sm text-muted hover:underline">
      {names[id] ?? id}
    </a>
  );
}
