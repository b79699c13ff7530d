// Creates a knowledge base from the first dropped files, and opens it. Nothing else has to be filled in.
import { useRef } from "react";
import type { DocumentLanguage } from "../../locales/registry.ts";
import { sendApi } from "../client/call-api.ts";
import { knowledgeName } from "../client/knowledge-name.ts";
import { visit } from "../client/page.ts";
import { useUploads } from "../client/use-uploads.ts";
import { DropZone } from "../pages/teams/@teamId/files/DropZone.tsx";
import { UploadList } from "../pages/teams/@teamId/files/UploadList.tsx";

export interface NewKnowledgeProps {
  teamId: string;
  /** Language of the files' content. */
  language: DocumentLanguage;
  /** Its name; by default that of its first file. */
  knowledge?: string;
  /** Address to open once every file is uploaded, with {id} for the knowledge base's id. */
  after: string;
}

NewKnowledge.namespaces = ["files", "errors"];

export function NewKnowledge({ teamId, language, knowledge, after }: NewKnowledgeProps) {
  const made = useRef<Promise<{ id: string }> | null>(null);
  const waiting = useRef(0);

  const { uploads, add, choose, dismiss } = useUploads(teamId, async (file) => {
    const first = made.current === null;
    made.current ??= sendApi(
      "POST",
      "/v1/teams/{teamId}/knowledges",
      { teamId },
      {
        name: knowledge ?? knowledgeName(file.name),
        language,
        fileIds: [file.id],
      },
    );
    const { id } = await made.current;
    if (!first)
      await sendApi("PUT", "/v1/teams/{teamId}/knowledges/{id}", { teamId, id }, { fileIds: [file.id] });
    waiting.current -= 1;
    if (waiting.current === 0) visit(after.replace("{id}", id));
  });

  function onFiles(files: Iterable<File>) {
    const list = [...files];
    waiting.current += list.length;
    add(list);
  }

  // A failed file does not block: the uploaded ones are already in the knowledge base.
  const failed = uploads.filter(({ state }) => state === "failed").length;
  if (made.current && failed > 0 && failed === uploads.length && waiting.current === failed) {
    waiting.current = 0;
    void made.current.then(({ id }) => visit(after.replace("{id}", id)));
  }

  return (
    <>
      <DropZone onFiles={onFiles} />
      <UploadList uploads={uploads} onDismiss={dismiss} onChoose={choose} />
    </>
  );
}
