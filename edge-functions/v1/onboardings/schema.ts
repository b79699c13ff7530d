// Owns the shapes of a team's onboarding.
import { z } from "@hono/zod-openapi";
import { defaultLanguage, documentLanguageOf, documentLanguages } from "../../../locales/registry.ts";
import { citation } from "../messages/schema.ts";
import { id } from "../router.ts";

const question = z.object({
  question: z.string(),
  answer: z.string().openapi({ description: "With marks [n], as in a reply." }),
  citations: z.array(citation),
});

export const onboarding = z
  .object({
    state: z.enum(["none", "reading", "looking", "ready"]).openapi({
      description:
        "none: no file was given yet. reading: files are being indexed. looking: questions are being looked for. ready: all is done.",
    }),
    knowledgeId: id.nullable(),
    agentId: id.nullable(),
    questions: z.array(question).openapi({
      description: "Up to three that were found in the documents, each with the answer that the agent gave.",
    }),
  })
  .openapi("Onboarding");
export type Onboarding = z.infer<typeof onboarding>;

export const firstFiles = z
  .strictObject({
    fileIds: z.array(z.uuid()).min(1).max(100),
    language: z
      .enum(documentLanguages)
      .default(documentLanguageOf(defaultLanguage))
      .openapi({ description: "Of the documents; simple: any other." }),
  })
  .openapi("FirstFiles");
export type FirstFiles = z.infer<typeof firstFiles>;
