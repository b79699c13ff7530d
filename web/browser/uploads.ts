// Sends files to the team one by one, with progress. XMLHttpRequest, because fetch does not tell how far an upload is.
import { addressOf } from "./api-calls.ts";
import { CallFailure } from "./call-api.ts";

export interface UploadedFile {
  id: string;
  name: string;
}

/**
 * Uploads one file; `onProgress` gets a share from 0 to 1.
 * @throws CallFailure with the API's words, which name the file
 */
export async function uploadFile(
  teamId: string,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<UploadedFile> {
  const form = new FormData();
  form.append("file", file, file.name);
  const path = addressOf("/v1/teams/{teamId}/files/upload", { teamId });
  const body = await send(path, form, { onProgress, signal });
  return { id: String(body.id), name: String(body.name) };
}

/**
 * Sends the archive of a team; `onProgress` as above.
 * @returns the codename of the team that it becomes
 * @throws CallFailure
 */
export async function uploadArchive(
  archive: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const bytes = new Blob([archive], { type: "application/zip" });
  const body = await send(addressOf("/v1/teams/import", {}), bytes, { onProgress, signal });
  return String(body.codename);
}

function send(
  path: string,
  body: FormData | Blob,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.responseType = "json";
    request.open("POST", path);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const answer = request.response as Record<string, unknown> | null;
      if (request.status < 300 && answer) return resolve(answer);
      const code = typeof answer?.code === "string" ? answer.code : "UNEXPECTED_ERROR";
      const message = typeof answer?.message === "string" ? answer.message : "";
      reject(new CallFailure(request.status, code, message, String(answer?.requestId ?? "")));
    };
    request.onerror = () => reject(new CallFailure(0, "UNAVAILABLE", "", ""));
    request.onabort = () => reject(new DOMException("The upload was stopped.", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}
