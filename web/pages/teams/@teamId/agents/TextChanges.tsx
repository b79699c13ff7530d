// The difference of two texts: removed words struck through, added words marked. Server only.
import { type Piece, wordChanges } from "./word-changes.ts";

export function TextChanges({ before, after }: { before: string; after: string }) {
  return (
    <p className="whitespace-pre-wrap break-words text-sm leading-6" dir="auto">
      {wordChanges(before, after).map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, on the server
        <Marked key={at} {...piece} />
      ))}
    </p>
  );
}

function Marked({ text, kind }: Piece) {
  if (kind === "removed") return <del className="mr-1 bg-bad-soft text-bad">{text}</del>;
  if (kind === "added") return <ins className="bg-good-soft text-good no-underline">{text}</ins>;
  return text;
}
