// Asks the built-in model a question over passages of the test's own, with the prompt that every model receives.
import { buildPrompt } from "../../edge-functions/answering/prompt.ts";
import { extractReply } from "../../supabase/local/models/extract.ts";

type Content = string | { title: string; content: string; computed?: { isGuess?: true }; isFurther?: true };

/** The reply to a question over passages, best first; of the document "Papers" where none is named. */
export function askBuiltIn(question: string, ...contents: Content[]): string {
  return extractReply(
    buildPrompt({
      agent: { name: "Helper", instructions: "" },
      passages: contents.map((content, at) => ({
        index: at + 1,
        ...(typeof content === "string" ? { title: "Papers", content } : content),
        heading: "",
        preface: "",
        page: null,
      })),
      history: [],
      question,
      nonce: "abc",
      grounded: true,
    }),
  );
}
