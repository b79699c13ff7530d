// Owns the schemas of a team's onboarding.
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
        "none: no files yet. reading: files are being indexed. looking: questions are being searched for. ready: done.",
    }),
    knowledgeId: id.nullable(),
    agentId: id.nullable(),
    questions: z.array(question).openapi({
      description: "Up to three questions found in the documents, each with the agent's answer.",
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
      .openapi({ description: "Language of the documents. simple: any other." }),
  })
  .openapi("FirstFiles");
export type FirstFiles = z.infer<typeof firstFiles>;
