package dev.millrace.command.recovery;

import java.nio.file.Path;

/**
 * What is killed, and how often.
 *
 * @param kills number of kills
 * @param rate  events per second of all connections
 * @param seed  of the moments
 * @param jdk   Java of the instance, or {@code null}
 * @param keep  whether the directories are kept
 */
public record RecoverySettings(RecoveryVariant variant, int kills, int rate, long seed, Path jdk, boolean keep)
{
    /**
     * The settings with the default rate of the variant.
     *
     * @param rate 0 for the default
     */
    public static RecoverySettings of(final RecoveryVariant variant, final int kills, final int rate, final long seed,
        final Path jdk, final boolean keep)
    {
        return new RecoverySettings(variant, kills, rate == 0 ? variant.rate() : rate, seed, jdk, keep);
    }
}
