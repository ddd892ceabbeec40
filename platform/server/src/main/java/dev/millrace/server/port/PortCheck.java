package dev.millrace.server.port;

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
 * Refuses to start when an earlier instance uses the same ports, and names that instance. For ports that are opened
 * only when an application is deployed, the conflict would otherwise appear late and far from its cause.
 */
public final class PortCheck
{
    /** Set in the start script; different for each instance of a host. */
    private static final List<String> PROPERTIES = List.of("loadgen.port", "timesync.port");

    private static final SourcePosition SCRIPT = new SourcePosition("startwlevs.sh", 0, 0);

    private PortCheck()
    {
    }

    /**
     * Compares this process with the instances started before it.
     *
     * @param management address of this instance's endpoint
     * @param properties returns system properties, or null
     * @throws DeploymentException with all conflicting ports
     */
    public static void run(final NetworkAddress management, final UnaryOperator<String> properties)
        throws DeploymentException
    {
        final List<Problem> problems =
            problems(management, properties, RunningInstance.olderThan(ProcessHandle.current()));
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    static List<Problem> problems(
        final NetworkAddress management, final UnaryOperator<String> properties, final List<RunningInstance> neighbours)
    {
        final List<Problem> problems = new ArrayList<>();
        final String own = properties.apply(RunningInstance.DOMAIN);
        for (final RunningInstance neighbour : neighbours)
        {
            if (own != null && neighbour.domain().equals(Path.of(own)))
            {
                // It has released the lock of the directory: it has stopped, and its process ends next.
                continue;
            }
            for (final String property : PROPERTIES)
            {
                final String port = properties.apply(property);
                if (port != null && !port.equals("0") && port.equals(neighbour.properties().get(property)))
                {
                    problems.add(new Problem("SRV-0139", SCRIPT, "another instance uses this port, port=" + port +
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
        return "every instance of a host needs its own ports: change " + what + " in " + where +
            ", or stop the other one with its stopwlevs.sh";
    }

    /** Returns the management port of an instance; the port it has published has priority over its configuration. */
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
            // Unreadable for this user, or incomplete: a conflict is found when this instance opens its port.
            return OptionalInt.empty();
        }
    }
}
