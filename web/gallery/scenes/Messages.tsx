// Scene: statuses, messages and text.
import { Inbox } from "lucide-react";
import { UploadList } from "../../pages/teams/@teamId/files/UploadList.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Avatar } from "../../ui/Avatar.tsx";
import { Badge, type Tone } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { CodeBlock } from "../../ui/CodeBlock.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Markdown } from "../../ui/Markdown.tsx";
import { ProgressBar } from "../../ui/ProgressBar.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { textFor } from "../texts.ts";
import { type SceneData, Shown } from "./Shown.tsx";

const tones: Tone[] = ["neutral", "accent", "good", "careful", "bad"];
const alerts = ["info", "good", "careful", "bad"] as const;
const statuses = [
  "none",
  "queued",
  "indexing",
  "waiting",
  "ready",
  "stale",
  "stopping",
  "disabled",
  "failed",
];
const nothing = () => undefined;

export function Messages({ isLong }: SceneData) {
  const words = (name: string, at = 0) => textFor(name, at, isLong);
  const markdown = `# ${words("title")}\n\n${words("content")}\n\n- ${words("name")}\n- \`${words("model")}\`\n\n| ${words("name", 1)} | ${words("role")} |\n| --- | --- |\n| ${words("title", 1)} | 12 |\n\n\`\`\`sh\ncurl ${words("url")}\n\`\`\``;
  return (
    <>
      <Shown name="Alerts">
        {alerts.map((tone, at) => (
          <Alert key={tone} tone={tone} title={words("title", at)}>
            {words("description", at)}
          </Alert>
        ))}
      </Shown>
      <Shown name="Toasts">
        {["default", "destructive"].map((variant, at) => (
          <div key={variant} className="toast" data-variant={variant}>
            <div className="min-w-0 flex-1">
              <p className="font-medium">{words("title", at)}</p>
              <p className="toast-text">{words("description", at)}</p>
            </div>
          </div>
        ))}
      </Shown>
      <Shown name="Badges and statuses">
        <div className="flex flex-wrap gap-2">
          {tones.map((tone, at) => (
            <Badge key={tone} tone={tone}>
              {words("name", at)}
            </Badge>
          ))}
        </div>
        <div className="flex flex-wrap gap-4">
          {statuses.map((value) => (
            <Status key={value} value={value} />
          ))}
          <Avatar name={words("username")} />
          <Avatar name={words("username", 1)} shape="square" />
        </div>
      </Shown>
      <Shown name="Loading">
        <Skeleton className="h-6 w-1/2" />
        <Skeleton />
        <Skeleton className="h-24 w-full" />
        <ProgressBar done={42} total={310} label={words("title")}>
          {words("description")}
        </ProgressBar>
        <UploadList
          onDismiss={nothing}
          onRetry={nothing}
          onChoose={nothing}
          onCancelAll={nothing}
          done={3}
          uploads={[
            { key: 1, name: words("name"), share: 0.4, state: "sending" },
            { key: 3, name: words("name", 2), share: 0, state: "asking" },
          ]}
        />
      </Shown>
      <Shown name="Asking first">
        <ConfirmDialog
          id="sure"
          form="sure"
          label={words("name")}
          title={words("title")}
          confirm={words("name", 1)}
          fields={{}}
        >
          {words("description")}
        </ConfirmDialog>
      </Shown>
      <Shown name="Nothing yet">
        <EmptyState
          icon={<Inbox />}
          title={words("title")}
          action={<Button variant="primary">{words("name")}</Button>}
        >
          {words("description")}
        </EmptyState>
      </Shown>
      <Shown name="What was written">
        <Markdown text={markdown} />
        <CodeBlock language="sh" text={`curl ${words("url")}`} copy={{ copy: "Copy", copied: "Copied" }} />
      </Shown>
    </>
  );
}
