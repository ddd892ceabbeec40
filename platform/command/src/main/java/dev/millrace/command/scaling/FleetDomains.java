package dev.millrace.command.scaling;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainTemplate;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.Ports;
import dev.millrace.command.instance.ProcessorSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the domains of a study: copies of the default one with ports and server names of their own, in one cluster. */
final class FleetDomains
{
    private static final Pattern NAME = Pattern.compile("(<domain>\\s*<name>)[^<]*(</name>)");
    private static final Pattern CLUSTER = Pattern.compile("<cluster>.*</cluster>", Pattern.DOTALL);

    /**
     * One of them.
     *
     * @param name   of the server
     * @param domain directory
     * @param ports  of the instance
     */
    record Made(String name, Domain domain, Ports ports)
    {
    }

    private FleetDomains()
    {
    }

    /** Makes them below a directory; a single one is in no cluster. */
    static List<Made> make(final Home home, final Path directory, final int count, final ProcessorSets sets)
        throws IOException
    {
        final int firstPort = count > 1 ? FreePorts.range(2 * count) : 0;
        final Set<Integer> taken = new HashSet<>();
        final List<Made> made = new ArrayList<>();
        for (int i = 1; i <= count; i++)
        {
            final String name = "server" + i;
            final Ports ports = freshPorts(taken);
            final Domain domain = DomainTemplate.create(home, directory.resolve(name), ports, 0,
                sets.only(i - 1));
            if (count > 1)
            {
                join(domain.directory().resolve("config/config.xml"), name, firstPort, count);
            }
            made.add(new Made(name, domain, ports));
        }
        return made;
    }

    /** The system may give one port twice, for nobody has it yet. */
    private static Ports freshPorts(final Set<Integer> taken) throws IOException
    {
        while (true)
        {
            final Ports ports = Ports.free();
            final Set<Integer> numbers = new HashSet<>(List.of(ports.netio(), ports.loadgen()));
            numbers.add(ports.timesync());
            if (numbers.stream().noneMatch(taken::contains))
            {
                taken.addAll(numbers);
                return ports;
            }
        }
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
        final String joined = cluster.replaceFirst(Matcher.quoteReplacement("""
            <cluster>
                <server-name>%s</server-name>
                <enabled>true</enabled>
                <groups>study</groups>
                <discovery-port>%d</discovery-port>
                <communication-port>%d</communication-port>
                <port-range>%d</port-range>
              </cluster>""".formatted(name, firstPort, firstPort + count, count)));
        Files.writeString(file, NAME.matcher(joined).replaceFirst("$1study_domain$2"));
    }
}
