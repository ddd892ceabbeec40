package dev.millrace.command.scaling.fleet;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.ClusterSecret;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainTemplate;
import dev.millrace.command.instance.FreePorts;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Creates the domains of a study: copies of the default domain with their own ports and server names, in one cluster.
 */
final class FleetDomains
{
    private static final Pattern NAME = Pattern.compile("(<domain>\\s*<name>)[^<]*(</name>)");
    private static final Pattern CLUSTER = Pattern.compile("<cluster>.*</cluster>", Pattern.DOTALL);

    /** Spare ports of each range, because other processes may use some in the meantime. */
    private static final int SPARE = 4;

    /**
     * One domain.
     *
     * @param name   server name
     * @param domain domain directory
     */
    record Made(String name, Domain domain, Ports ports)
    {
    }

    private FleetDomains()
    {
    }

    /** Creates a domain with a separate cluster and an enabled warm-up. */
    static Domain alone(final Home home, final Path directory) throws IOException
    {
        final Domain domain = DomainTemplate.create(home, directory, Ports.free(), 0);
        final Path file = domain.directory().resolve("config/config.xml");
        ClusterSecret.make(domain);
        join(file, "alone", FreePorts.range(2 * (1 + SPARE)), 1);
        Files.writeString(file, Files.readString(file).replace("<warm-up>false</warm-up>", "<warm-up>true</warm-up>"));
        return domain;
    }

    /** Creates the domains below a directory; a single domain is in no cluster. */
    static List<Made> make(final Home home, final Path directory, final int count,
        final RunEnvironment surroundings) throws IOException
    {
        final int firstPort = count > 1 ? FreePorts.range(2 * (count + SPARE)) : 0;
        final List<Ports> free = Ports.free(count);
        final List<Made> made = new ArrayList<>();
        final String secret = ClusterSecret.random();
        for (int i = 1; i <= count; i++)
        {
            final String name = "server" + i;
            final Ports ports = free.get(i - 1);
            final Domain domain = DomainTemplate.create(home, directory.resolve(name), ports, 0,
                surroundings.sets().only(i - 1));
            surroundings.jvmOptions().addTo(domain.directory());
            if (count > 1)
            {
                ClusterSecret.make(domain, secret);
                join(domain.directory().resolve("config/config.xml"), name, firstPort, count);
            }
            made.add(new Made(name, domain, ports));
        }
        return made;
    }

    private static void join(final Path file, final String name, final int firstPort, final int count)
        throws IOException
    {
        final String text = Files.readString(file);
        final Matcher cluster = CLUSTER.matcher(text);
        final Matcher domain = NAME.matcher(text);
        if (!cluster.find() || !domain.find())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0115", "default domain has been changed, file=" + file +
                " missing=<cluster> or <domain>", "unpack the product again");
        }
        // The application is deployed as soon as all are members and loads the same classes as the warm-up.
        final String joined = cluster.replaceFirst(Matcher.quoteReplacement("""
            <cluster>
                <server-name>%s</server-name>
                <enabled>true</enabled>
                <groups>study</groups>
                <discovery-port>%d</discovery-port>
                <communication-port>%d</communication-port>
                <port-range>%d</port-range>
              </cluster>""".formatted(name, firstPort, firstPort + count + SPARE, count + SPARE)));
        Files.writeString(file, NAME.matcher(joined).replaceFirst("$1study_domain$2")
            .replace("</n1:config>", "  <cql>\n    <warm-up>false</warm-up>\n  </cql>\n</n1:config>"));
    }
}
