// The landing page: the product in one sentence, a live demo, and one call to action. Below: an example answer, the
// sources of answers, and the channels to ask in.
import { ArrowRight } from "lucide-react";
import { useTranslation } from "#translations";
import type { ChatProps } from "../../islands/Chat.tsx";
import { Island } from "../../render/island.tsx";
import { useData, useRequest } from "../../render/render-context.tsx";
import { Avatar } from "../../ui/Avatar.tsx";
import { Button } from "../../ui/Button.tsx";
import type { HomeData } from "./+data.ts";
import { AnswerFigure } from "./AnswerFigure.tsx";
import { Points } from "./Points.tsx";
import { channels, origins, promises } from "./points.ts";

export function Page() {
  const { t } = useTranslation("home");
  const { user } = useRequest();
  const start = (
    <Button href={user ? "/dashboard" : "/register"} variant="primary" size="lg">
      {t(user ? "continue" : "start")}
      <ArrowRight aria-hidden className="size-4" />
    </Button>
  );
  return (
    <>
      <div className="grid grid-cols-1 items-center gap-x-16 gap-y-12 pt-8 pb-16 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:pt-14 lg:pb-24">
        <div>
          <h1 className="font-semibold text-4xl tracking-tight">{t("title")}</h1>
          <p className="mt-5 max-w-md text-lg text-muted">{t("intro")}</p>
          <div className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-2">
            {start}
            <p className="text-muted text-sm">{t("noCard")}</p>
          </div>
        </div>
        <LiveAgent />
      </div>

      <section aria-labelledby="answers" className="border-line border-t py-16 lg:py-20">
        <div className="grid grid-cols-1 items-center gap-12 lg:grid-cols-2">
          <div>
            <h2 id="answers" className="font-semibold text-2xl">
              {t("answers.title")}
            </h2>
            <p className="mt-3 max-w-md text-lg text-muted">{t("answers.text")}</p>
            <dl className="mt-6 space-y-4">
              {promises.map(({ key, icon: Icon }) => (
                <div key={key} className="flex gap-3">
                  <dt className="contents">
                    <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-ink" />
                    <span className="sr-only">{t(`answers.${key}.title`)}</span>
                  </dt>
                  <dd className="max-w-md text-muted">
                    <span aria-hidden className="font-medium text-ink">
                      {t(`answers.${key}.title`)}
                    </span>{" "}
                    {t(`answers.${key}.text`)}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
          <AnswerFigure
            caption={t("answers.figure")}
            question={t("answers.question")}
            reply={t("answers.reply")}
            source={t("answers.source")}
            quote={t("answers.quote")}
          />
        </div>
      </section>

      <section aria-labelledby="origins" className="border-line border-t py-16 lg:py-20">
        <h2 id="origins" className="font-semibold text-2xl">
          {t("origins.title")}
        </h2>
        <p className="mt-3 mb-10 max-w-xl text-lg text-muted">{t("origins.text")}</p>
        <Points
          points={origins.map(({ key, icon, href }) => ({
            icon,
            title: t(`origins.${key}.title`),
            text: t(`origins.${key}.text`),
            link: href === undefined ? undefined : { href, label: t(`origins.${key}.link`) },
          }))}
        />
      </section>

      <section aria-labelledby="channels" className="border-line border-t py-16 lg:py-20">
        <h2 id="channels" className="font-semibold text-2xl">
          {t("channels.title")}
        </h2>
        <p className="mt-3 mb-10 max-w-xl text-lg text-muted">{t("channels.text")}</p>
        <Points
          points={channels.map(({ key, icon, href }) => ({
            icon,
            title: t(`channels.${key}.title`),
            text: t(`channels.${key}.text`),
            link: href === undefined ? undefined : { href, label: t(`channels.${key}.link`) },
          }))}
        />
        <div className="mt-14">{start}</div>
      </section>
    </>
  );
}

function LiveAgent() {
  const { t } = useTranslation("home");
  const { modelsOffline } = useRequest();
  const { agent } = useData<HomeData>();
  if (!agent) return <p className="rounded-md border border-line p-5 text-muted">{t("noExample")}</p>;
  return (
    <section aria-label={t("example")}>
      <div className="flex h-[32rem] flex-col overflow-hidden rounded-lg border border-line bg-ground shadow-raised">
        <div className="flex items-center gap-2.5 border-line border-b bg-sunken px-4 py-2.5">
          <Avatar name={agent.name} shape="square" size="sm" />
          <p className="min-w-0 flex-1 truncate font-medium text-sm">{agent.name}</p>
          <p className="flex items-center gap-1.5 text-muted text-xs">
            <span aria-hidden className="size-1.5 rounded-full bg-good" />
            {t("live")}
          </p>
        </div>
        <Island<ChatProps>
          name="Chat"
          props={{
            agent: { ...agent, greeting: t("invite", { agentName: agent.name }) },
            chatId: null,
            channel: "web",
            messages: [],
            address: null,
            sourceAddress: null,
          }}
        />
      </div>
      <p className="mt-2.5 text-faint text-xs">{t(modelsOffline ? "app:offlineModels" : "exampleNote")}</p>
    </section>
  );
}
