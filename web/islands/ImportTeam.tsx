// Owns the upload of a team's export, with its progress; then opens the settings of the new team, which show the
// import. Does not follow the import itself.
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "#translations";
import { CallFailure, wordsOf } from "../client/call-api.ts";
import { visit } from "../client/page.ts";
import { uploadArchive } from "../client/uploads.ts";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";

ImportTeam.namespaces = ["teams", "errors"];

export function ImportTeam() {
  const { t } = useTranslation("teams");
  const id = useId();
  const [share, setShare] = useState<number | null>(null);
  const [problem, setProblem] = useState("");
  const controller = useRef(new AbortController());
  useEffect(() => {
    controller.current = new AbortController();
    const { current } = controller;
    return () => current.abort();
  }, []);

  const isUploading = share !== null;

  async function upload(archive: File) {
    setProblem("");
    setShare(0);
    try {
      const codename = await uploadArchive(archive, setShare, controller.current.signal);
      visit(`/teams/${codename}/settings`);
    } catch (error) {
      if (error instanceof DOMException) return;
      setShare(null);
      if (!(error instanceof CallFailure)) throw error;
      setProblem(error.code === "UNAVAILABLE" ? t("import.failed") : wordsOf(error, t).description);
    }
  }

  return (
    <div className="max-w-md space-y-3" data-unsaved={isUploading && share < 1 ? "" : undefined}>
      <Field id={`${id}-file`} label={t("import.file")}>
        {(attributes) => (
          <Input
            {...attributes}
            type="file"
            accept=".zip,application/zip"
            disabled={isUploading}
            aria-invalid={problem !== "" || undefined}
            aria-describedby={problem ? `${id}-problem` : undefined}
            // Allows the same file to be chosen again after a failure.
            onClick={({ currentTarget }) => {
              currentTarget.value = "";
            }}
            onChange={({ currentTarget }) => {
              const archive = currentTarget.files?.[0];
              if (archive) void upload(archive);
            }}
          />
        )}
      </Field>
      {isUploading && (
        <ProgressBar done={Math.round(share * 100)} total={100} label={t("import.title")}>
          {t(share < 1 ? "import.uploading" : "import.checking")}
        </ProgressBar>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-bad text-sm">
          {problem}
        </p>
      )}
    </div>
  );
}
