// Creates a knowledge base from the first dropped files, and opens it. Nothing else has to be filled in.
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "#translations";
import type { DocumentLanguage } from "../../locales/registry.ts";
import { sendApi, sendOnce } from "../client/call-api.ts";
import { knowledgeName } from "../client/knowledge-name.ts";
import { visit } from "../client/page.ts";
import { useUploads } from "../client/use-uploads.ts";
import { DropZone } from "../pages/teams/@teamId/files/DropZone.tsx";
import { UploadList } from "../pages/teams/@teamId/files/UploadList.tsx";
import { Button } from "../ui/Button.tsx";

export interface NewKnowledgeProps {
  teamId: string;
  /** Language of the files' content. */
  language: DocumentLanguage;
  /** Its name; by default that of its first file. */
  knowledge?: string;
  /** The agent that it is for. */
  agentId?: string;
  /** Address to open once every file is uploaded, with {id} for the knowledge base's id. */
  after: string;
}

NewKnowledge.namespaces = ["files", "errors"];

export function NewKnowledge({ teamId, language, knowledge, agentId, after }: NewKnowledgeProps) {
  const { t } = useTranslation("files");
  const made = useRef<Promise<{ id: string }> | null>(null);
  const [opened, setOpened] = useState<string>();

  const { uploads, add, list } = useUploads(teamId, async (file) => {
    const first = made.current === null;
    const body = { name: knowledge ?? knowledgeName(file.name), language, agentId, fileIds: [file.id] };
    made.current ??= sendOnce("/v1/teams/{teamId}/knowledges", { teamId }, body);
    try {
      const { id } = await made.current;
      if (!first)
        await sendApi("PUT", "/v1/teams/{teamId}/knowledges/{id}", { teamId, id }, { fileIds: [file.id] });
      setOpened(after.replace("{id}", id));
    } catch (error) {
      // The next file, or a retry, creates it.
      if (first) made.current = null;
      throw error;
    }
  });

  // A failed file keeps the page until its reason has been read.
  const isDone = opened !== undefined && uploads.length === 0;
  useEffect(() => {
    if (isDone) visit(opened);
  }, [isDone, opened]);

  return (
    <>
      <DropZone onFiles={add} />
      <UploadList {...list} />
      {opened && !isDone && uploads.every(({ state }) => state === "failed") && (
        <Button type="button" className="mt-4" onClick={() => visit(opened)}>
          {t("open")}
        </Button>
      )}
    </>
  );
}
