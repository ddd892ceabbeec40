package dev.millrace.server.neighbours;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.config.ServerConfiguration.NetworkAddress;
import dev.millrace.server.config.ServerConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * Refuses to start beside an instance that has the same ports, and says which one it is: for ports that are opened only
 * when an application is deployed, the mistake would show late and far from its cause.
 */
public final class PortCheck
{
    /** Set in the start script; each instance of a host has its own. */
    private static final List<String> PROPERTIES = List.of("loadgen.port", "timesync.port");

    private static final SourcePosition SCRIPT = new SourcePosition("startwlevs.sh", 0, 0);

    private PortCheck()
    {
    }

    /**
     * Compares this process with the instances that were started before it.
     *
     * @param management where its endpoint will listen
     * @param properties gives system properties, null for none
     * @throws DeploymentException with all ports that another one has
     */
    public static void run(final NetworkAddress management, final UnaryOperator<String> properties)
        throws DeploymentException
    {
        final List<Problem> problems =
            problems(management, properties, Neighbour.olderThan(ProcessHandle.current()));
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    static List<Problem> problems(
        final NetworkAddress management, final UnaryOperator<String> properties, final List<Neighbour> neighbours)
    {
        final List<Problem> problems = new ArrayList<>();
        final String own = properties.apply(Neighbour.DOMAIN);
        for (final Neighbour neighbour : neighbours)
        {
            if (own != null && neighbour.domain().equals(Path.of(own)))
            {
                // It has given the lock of the directory back: it has stopped, and its process is about to end.
                continue;
            }
            for (final String property : PROPERTIES)
            {
                final String port = properties.apply(property);
                if (port != null && !port.equals("0") && port.equals(neighbour.properties().get(property)))
                {
                    problems.add(new Problem("SRV-0139", SCRIPT, "another instance has this port, port=" + port +
                        " property=" + property + " other: " + neighbour, hint(property, "startwlevs.sh"), ""));
                }
            }
            if (management.port() != 0 && management(neighbour.domain()).equals(OptionalInt.of(management.port())))
            {
                problems.add(new Problem("SRV-0111", management.position(), "port is in use, port=" +
                    management.port() + " netio=" + management.name() + " other: " + neighbour,
                    hint("this netio element", "config/config.xml"), ""));
            }
        }
        return problems;
    }

    private static String hint(final String what, final String where)
    {
        return "every instance of a host needs ports of its own: change " + what + " in " + where +
            ", or stop the other one with its stopwlevs.sh";
    }

    /** Where an instance listens, or will: what it says itself comes first. */
    private static OptionalInt management(final Path domain)
    {
        try
        {
            final Path written = domain.resolve("var").resolve("management.url");
            if (Files.isRegularFile(written))
            {
                final String url = Files.readString(written).strip();
                return OptionalInt.of(Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)));
            }
            return OptionalInt.of(ServerConfigurationReader.read(domain).management().port());
        }
        catch (final IOException | NumberFormatException | DeploymentException e)
        {
            // Not to be read by this user, or half written: what listens there is found when this one listens.
            return OptionalInt.empty();
        }
    }
}
