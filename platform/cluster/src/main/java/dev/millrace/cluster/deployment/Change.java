package dev.millrace.cluster.deployment;

/**
 * Who has changed an application, when, and what.
 *
 * @param member that was asked
 * @param timeMs since 1970, by that member's clock
 * @param what   in words, for the history
 */
record Change(String member, long timeMs, String what)
{
}
