// Owns the gallery's scenes: the parts of pages and islands that no page shows in all their states at once.
import type { ReactNode } from "react";
import type { DataContext, PageDefinition } from "../../render/page-definition.ts";
import { useData } from "../../render/render-context.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Controls } from "./Controls.tsx";
import { readConversation, Talk } from "./Conversations.tsx";
import { Frames } from "./Frames.tsx";
import { Messages } from "./Messages.tsx";
import type { SceneData } from "./Shown.tsx";

const isLongIn = ({ request }: DataContext) => request.url.searchParams.get("state") === "long";

function scene(name: string, Scene: (data: SceneData) => ReactNode): PageDefinition {
  return {
    layout: "default",
    access: "public",
    route: `/scene/${name}`,
    data: (context) => ({ isLong: isLongIn(context) }),
    title: () => name,
    Page: () => (
      <>
        <PageHeader title={name} />
        <Scene {...useData<SceneData>()} />
      </>
    ),
  };
}

export const scenePages: PageDefinition[] = [
  scene("controls", Controls),
  scene("messages", Messages),
  scene("frames", Frames),
  {
    ...scene("conversation", () => null),
    layout: "playground",
    data: readConversation,
    Page: Talk,
  },
];
