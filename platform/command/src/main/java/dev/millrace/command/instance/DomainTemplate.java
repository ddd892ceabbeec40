package dev.millrace.command.instance;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates domains as documented in the manual: copies the default domain, then edits ports and name. */
public final class DomainTemplate
{
    /** Files that an instance leaves behind; they are not copied. */
    private static final Set<String> NOT_COPIED = Set.of("var", "logs", "applications", "cluster", "deployments.xml");

    private static final Pattern HOME = Pattern.compile("WLEVS_HOME:-[^}]*\\}");

    private DomainTemplate()
    {
    }

    /**
     * Copies the default domain of a home and sets its ports.
     *
     * @param target  new directory; must not contain a domain
     * @param workers threads of a partitioned rule; 0 = the default
     * @throws IOException when a file cannot be read or written
     */
    public static Domain create(final Home home, final Path target, final Ports ports, final int workers)
        throws IOException
    {
        return create(home, target, ports, workers, ProcessorSets.NONE);
    }

    /**
     * Copies the default domain of a home and sets its ports and processors.
     *
     * @param target  new directory; must not contain a domain
     * @param workers threads of a partitioned rule; 0 = the default
     * @param sets    the first set is used
     * @throws IOException when a file cannot be read or written
     */
    public static Domain create(
        final Home home, final Path target, final Ports ports, final int workers, final ProcessorSets sets)
        throws IOException
    {
        final Path directory = target.toAbsolutePath().normalize();
        if (Files.exists(directory.resolve(DomainFiles.SCRIPT)))
        {
            throw new CommandException(
                ExitCode.USAGE, "CMD-0114", "target already exists, directory=" + directory,
                "it is a domain: choose another directory");
        }
        try (DomainStaging staged = new DomainStaging(directory.getParent()))
        {
            final Path copy = staged.add(
                home.domains().resolve("defaultserver"), directory.getFileName().toString(), NOT_COPIED);
            sets.apply(DomainFiles.read(copy), 0).write(copy);
            edit(home, copy, ports, workers);
            return staged.publish().get(0);
        }
    }

    /**
     * Returns ports for a new domain: those of the default domain plus the smallest number of steps without a conflict.
     *
     * @param target directory of the new domain
     * @return ports that no neighboring domain and no process uses at this time
     * @throws IOException when domains cannot be read
     */
    public static Ports nextPorts(final Home home, final Path target) throws IOException
    {
        final PortUsage claims = PortUsage.below(target.toAbsolutePath().normalize().getParent());
        final Domain template = new Domain(home.domains().resolve("defaultserver"));
        claims.claim(template.name(), template.ports());
        for (int offset = ClonePlan.DEFAULT_STEP; offset < NamedPort.MAX; offset += ClonePlan.DEFAULT_STEP)
        {
            final int shift = offset;
            final List<NamedPort> ports = template.ports().stream().map(port -> port.shifted(shift)).toList();
            if (claims.areFree(ports))
            {
                return Ports.of(ports);
            }
        }
        return Ports.free();
    }

    /**
     * Rejects ports that are in use.
     *
     * @param target directory of the new domain
     * @throws IOException      when domains cannot be read
     * @throws CommandException when a neighboring domain or a process uses one
     */
    public static void check(final Path target, final Ports ports) throws IOException
    {
        final PortUsage claims = PortUsage.below(target.toAbsolutePath().normalize().getParent());
        final List<String> conflicts = new ArrayList<>();
        for (final NamedPort port : ports.list())
        {
            conflicts.addAll(claims.conflicts(List.of(port)));
            claims.claim("this domain", List.of(port));
        }
        if (!conflicts.isEmpty())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0116",
                "ports are in use, nothing was created, ports=" + conflicts,
                "choose others, or omit them to use free ports");
        }
    }

    private static void edit(final Home home, final Path copy, final Ports ports, final int workers)
        throws IOException
    {
        final DomainFiles files = DomainFiles.read(copy);
        final List<String> names = files.ports().stream().map(NamedPort::name).toList();
        if (!names.containsAll(Ports.NAMES) || files.domainName().isEmpty())
        {
            throw changed(DomainFiles.SCRIPT + ", " + DomainFiles.CONFIGURATION, names.toString());
        }
        final String name = copy.getFileName().toString();
        DomainFiles edited = files.renumbered(ports::replace).domainName(name + "_domain").serverName(name);
        if (workers > 0)
        {
            edited = edited.configurationExtended("  <cql>\n    <workers>" + workers + "</workers>\n  </cql>\n");
        }
        edited.write(copy);
        for (final String script : List.of(DomainFiles.SCRIPT, "stopwlevs.sh"))
        {
            setHome(copy.resolve(script), home.directory());
        }
    }

    private static void setHome(final Path script, final Path home) throws IOException
    {
        final Matcher matcher = HOME.matcher(Files.readString(script));
        if (!matcher.find())
        {
            throw changed(script.getFileName().toString(), "WLEVS_HOME");
        }
        Files.writeString(script, matcher.replaceFirst(Matcher.quoteReplacement("WLEVS_HOME:-" + home + "}")));
    }

    private static CommandException changed(final String files, final String found)
    {
        return new CommandException(
            ExitCode.FAILED, "CMD-0115", "default domain has been changed, files=" + files + " found=" + found,
            "copy the domain directory manually and edit the ports, or unpack the product again");
    }
}
