// Why a document could not be read, and what was left out or guessed when it was.
import { useTranslation } from "#translations";
import { Alert } from "./Alert.tsx";

interface Reading {
  error: string | null;
  note: string | null;
  warnings: string[];
}

export function ReadingProblems({ error, note, warnings }: Reading) {
  const { t } = useTranslation("documents");
  return (
    <>
      {(error || note) && (
        <div className="mb-4">
          <Alert tone={error ? "bad" : "careful"} title={t(error ? "failed" : "partly")}>
            {error || note}
          </Alert>
        </div>
      )}
      {warnings.length > 0 && (
        <div className="mb-4">
          <Alert title={t("warnings")}>
            <ul className={warnings.length > 1 ? "list-disc space-y-1 ps-4" : ""}>
              {warnings.map((warning) => (
                <li key={warning} className="break-words">
                  {warning}
                </li>
              ))}
            </ul>
          </Alert>
        </div>
      )}
    </>
  );
}
