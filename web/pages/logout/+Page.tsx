// Asks for confirmation of a logout that another site has linked to.
import { useTranslation } from "#translations";
import { Button } from "../../ui/Button.tsx";
import { Form } from "../../ui/Form.tsx";

export function Page() {
  const { t } = useTranslation("auth");
  return (
    <>
      <h1 className="mb-6 font-semibold text-xl">{t("logout.title")}</h1>
      <Form casual>
        <Button variant="primary" size="lg" className="w-full">
          {t("logout.submit")}
        </Button>
      </Form>
    </>
  );
}
