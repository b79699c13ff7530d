// Retries the indexing of one document: the form "document" of the page's action. Server only.
import { RotateCcw } from "lucide-react";
import { useTranslation } from "#translations";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";

export function RetryDocument({ id, sourceId, title }: { id: string; sourceId: string; title: string }) {
  const { t } = useTranslation("sources");
  const label = t("tryAgain", { title });
  return (
    <Form name="document" fields={{ document: id, source: sourceId }} className="-my-1">
      <Button size="icon" variant="ghost" aria-label={label} data-tooltip={label}>
        <RotateCcw aria-hidden className="size-4" />
      </Button>
    </Form>
  );
}
