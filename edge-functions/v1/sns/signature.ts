// Owns verifying that Amazon SNS signed a message from one of our topics. Pure: certificates are passed in.
// The signed strings: docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
import { createVerify, X509Certificate } from "node:crypto";
import type { SnsMessage } from "./schema.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** SNS stops delivering a message after an hour; a day allows for wrong clocks. */
const oldestMs = dayMs;
const hashes = { "1": "RSA-SHA1", "2": "RSA-SHA256" } as const;

/** The SNS host in the region of a topic's ARN; undefined for an invalid ARN. */
function hostOf(topicArn: string): string | undefined {
  const [, partition, region] =
    /^arn:(aws|aws-us-gov|aws-cn):sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[\w-]{1,256}(?:\.fifo)?$/.exec(
      topicArn,
    ) ?? [];
  if (!partition || !region) return undefined;
  return `sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}`;
}

/** A URL of SNS itself, in the topic's own region, over TLS; undefined for any other. */
function atSns(address: string, topicArn: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const plain = !url.username && !url.password && !url.port && !url.hash;
  return url.protocol === "https:" && plain && url.hostname === hostOf(topicArn) ? url : undefined;
}

/** The URL of a message's certificate; undefined if it is not one of SNS's certificate URLs. */
export function certificateUrl({ SigningCertURL, TopicArn }: SnsMessage): URL | undefined {
  const url = atSns(SigningCertURL, TopicArn);
  return url && url.search === "" && /^\/SimpleNotificationService-[\w-]{1,100}\.pem$/.test(url.pathname)
    ? url
    : undefined;
}

/** The URL that confirms a subscription; undefined if it does anything else. */
export function confirmationUrl({ SubscribeURL = "", TopicArn }: SnsMessage): URL | undefined {
  const url = atSns(SubscribeURL, TopicArn);
  const confirms =
    url?.pathname === "/" &&
    url.searchParams.get("Action") === "ConfirmSubscription" &&
    url.searchParams.get("TopicArn") === TopicArn;
  return confirms ? url : undefined;
}

/** True when a message has a valid signature, is at most a day old, and its certificate is currently valid. @param pem the certificate */
export function isSigned(message: SnsMessage, pem: string, now = Date.now()): boolean {
  const sent = Date.parse(message.Timestamp);
  if (!(now - sent < oldestMs && sent - now < oldestMs)) return false;
  try {
    const certificate = new X509Certificate(pem);
    if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) return false;
    return createVerify(hashes[message.SignatureVersion])
      .update(canonical(message), "utf8")
      .verify(certificate.publicKey, message.Signature, "base64");
  } catch {
    // The PEM is not a certificate, or has a key of a kind that SNS does not sign with.
    return false;
  }
}

/** The names and values that SNS signs, each on its own line, without missing fields. */
function canonical(message: SnsMessage): string {
  const names =
    message.Type === "Notification"
      ? (["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const)
      : (["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const);
  return names
    .flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`]))
    .join("");
}
