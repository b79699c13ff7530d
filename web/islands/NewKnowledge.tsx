// Makes a knowledge out of the first files that are dropped, and goes to it. Nothing else has to be filled in.
import { useRef } from "react";
import { sendApi } from "../browser/call-api.ts";
import { visit } from "../browser/page.ts";
import { useUploads } from "../browser/use-uploads.ts";
import { DropZone } from "../components/files/DropZone.tsx";
import { UploadList } from "../components/files/UploadList.tsx";

export interface NewKnowledgeProps {
  teamId: string;
  /** Address of the team's knowledges. */
  path: string;
}

NewKnowledge.namespaces = ["files", "errors"];

/** "Travel policy 2026.pdf" names a knowledge "Travel policy 2026". */
const nameFrom = (fileName: string) => fileName.replace(/\.[^.]{1,8}$/, "").slice(0, 200) || fileName;

export function NewKnowledge({ teamId, path }: NewKnowledgeProps) {
  const made = useRef<Promise<{ id: string }> | null>(null);
  const waiting = useRef(0);

  const { uploads, add, dismiss } = useUploads(teamId, async (file) => {
    const first = made.current === null;
    made.current ??= sendApi(
      "POST",
      "/v1/teams/{teamId}/knowledges",
      { teamId },
      {
        name: nameFrom(file.name),
        fileIds: [file.id],
      },
    );
    const { id } = await made.current;
    if (!first)
      await sendApi("PUT", "/v1/teams/{teamId}/knowledges/{id}", { teamId, id }, { fileIds: [file.id] });
    waiting.current -= 1;
    if (waiting.current === 0) visit(`${path}/${id}`);
  });

  function onFiles(files: Iterable<File>) {
    const list = [...files];
    waiting.current += list.length;
    add(list);
  }

  // A file that failed holds nobody back: what arrived is already in the knowledge.
  const failed = uploads.filter(({ state }) => state === "failed").length;
  if (made.current && failed > 0 && failed === uploads.length && waiting.current === failed) {
    waiting.current = 0;
    void made.current.then(({ id }) => visit(`${path}/${id}`));
  }

  return (
    <>
      <DropZone onFiles={onFiles} />
      <UploadList uploads={uploads} onDismiss={dismiss} />
    </>
  );
}
