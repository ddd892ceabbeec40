package dev.millrace.cluster.deployment;

/**
 * Origin of a change of an application.
 *
 * @param member the member that received the request
 * @param timeMs milliseconds since 1970, by the clock of that member
 * @param what   description for the history
 */
record ChangeRecord(String member, long timeMs, String what)
{
}
