package dev.millrace.cql.replay;

import dev.millrace.assembly.xml.HardenedXml;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DurationFormat;
import dev.millrace.network.definition.PatternAttempts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * The defaults of a server for processors. Immutable.
 *
 * @param idleStateTime how long keys of unbounded state may be idle; zero when they are kept forever
 * @param maxAttempts   partial matches that a pattern may follow in a partition
 */
record OfflineSettings(Duration idleStateTime, int maxAttempts)
{
    /** Those of a server that sets none. */
    static final OfflineSettings DEFAULT = new OfflineSettings(Duration.ZERO, PatternAttempts.DEFAULT);

    /**
     * Reads the settings of a domain.
     *
     * @param configuration {@code config.xml} of the domain
     */
    static OfflineSettings of(final Path configuration) throws IOException, DeploymentException
    {
        final Document document =
            HardenedXml.parse(configuration.getFileName().toString(), Files.readAllBytes(configuration));
        final String time = setting(document, "idle-state-time");
        final Duration parsed = time == null ? null : DurationFormat.parse(time);
        final String attempts = setting(document, "max-attempts");
        return new OfflineSettings(parsed == null ? Duration.ZERO : parsed,
            attempts == null || !attempts.matches("\\d{1,7}") ? PatternAttempts.DEFAULT : Integer.parseInt(attempts));
    }

    /** The text of an element of the configuration; {@code null} without it. */
    private static String setting(final Document document, final String name)
    {
        final NodeList found = document.getElementsByTagNameNS("*", name);
        return found.getLength() == 0 ? null : found.item(0).getTextContent().strip();
    }
}
