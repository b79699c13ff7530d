// For shop owners: an agent that knows the products and the shop's own rules.
import { ArrowRight, Languages, PackageSearch, RefreshCw, Undo2 } from "lucide-react";
import { useTranslation } from "#translations";
import { useRequest } from "../../render/render-context.tsx";
import { Button } from "../../ui/Button.tsx";
import { AnswerFigure } from "../index/AnswerFigure.tsx";
import { Points } from "../index/Points.tsx";

const points = [
  ["products", PackageSearch],
  ["rules", Undo2],
  ["fresh", RefreshCw],
  ["languages", Languages],
] as const;
const steps = ["connect", "agent", "embed"] as const;

export function Page() {
  const { t } = useTranslation("shopify");
  const { user } = useRequest();
  return (
    <>
      <div className="grid grid-cols-1 items-center gap-12 pt-8 pb-16 lg:grid-cols-2 lg:pt-14 lg:pb-24">
        <div>
          <p className="mb-3 font-medium text-accent-ink">{t("kicker")}</p>
          <h1 className="font-semibold text-4xl tracking-tight">{t("title")}</h1>
          <p className="mt-5 max-w-md text-lg text-muted">{t("intro")}</p>
          <Button href={user ? "/dashboard" : "/register"} variant="primary" size="lg" className="mt-8">
            {t("start")}
            <ArrowRight aria-hidden className="size-4" />
          </Button>
        </div>
        <AnswerFigure
          caption={t("figure")}
          question={t("question")}
          reply={t("reply")}
          source={t("source")}
          quote={t("quote")}
        />
      </div>
      <section aria-labelledby="knows" className="border-line border-t py-16 lg:py-20">
        <h2 id="knows" className="mb-10 font-semibold text-2xl">
          {t("knows")}
        </h2>
        <Points
          points={points.map(([key, icon]) => ({
            icon,
            title: t(`${key}.title`),
            text: t(`${key}.text`),
          }))}
        />
      </section>
      <section aria-labelledby="steps" className="border-line border-t py-16 lg:py-20">
        <h2 id="steps" className="mb-10 font-semibold text-2xl">
          {t("steps")}
        </h2>
        <ol className="grid grid-cols-1 gap-8 lg:grid-cols-3">
          {steps.map((key, index) => (
            <li key={key} className="border-line border-l-2 pl-5">
              <p aria-hidden className="font-mono text-accent-ink text-sm">
                {index + 1}
              </p>
              <h3 className="mt-1 font-medium text-lg">{t(`${key}.title`)}</h3>
              <p className="mt-1 text-muted">{t(`${key}.text`)}</p>
            </li>
          ))}
        </ol>
        <p className="mt-10 text-muted">
          <a href="/guides/connect-a-source" className="font-medium text-accent-ink hover:underline">
            {t("guide")}
          </a>
        </p>
      </section>
    </>
  );
}
