package dev.millrace.command.instance;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ports and names in startwlevs.sh and config/config.xml of an instance, and copies with changed values. Only the
 * requested values change; comments are preserved. Immutable.
 */
final class DomainFiles
{
    static final String SCRIPT = "startwlevs.sh";

    static final String CONFIGURATION = "config/config.xml";

    /** Preserves all bytes, whatever the encoding of the files. */
    private static final Charset BYTES = StandardCharsets.ISO_8859_1;

    private static final Pattern SCRIPT_REMARK = Pattern.compile("(?m)^[ \\t]*#.*$");
    private static final Pattern XML_REMARK = Pattern.compile("(?s)<!--.*?-->");
    private static final Pattern SCRIPT_PORT = Pattern.compile("-D([\\w.-]*?)\\.?port=(\\d{1,5})\\b");
    private static final Pattern PROCESSOR_SET = Pattern.compile("(?m)^PROCESSOR_SET=\"([^\"\\n]*)\"");
    private static final Pattern NETIO_PORT =
        Pattern.compile("(?s)<netio>(?:(?!</netio>).)*?<port>\\s*(\\d{1,5})\\s*</port>(?:(?!</netio>).)*</netio>");
    private static final Pattern NAME = Pattern.compile("<name>\\s*([^<]*?)\\s*</name>");
    private static final Pattern DOMAIN_NAME =
        Pattern.compile("(?s)<domain>(?:(?!</domain>).)*?<name>\\s*([^<]*?)\\s*</name>");
    private static final Pattern CLUSTER = Pattern.compile("<cluster>()");
    private static final Pattern SERVER_NAME =
        Pattern.compile("(?s)<cluster>(?:(?!</cluster>).)*?<server-name>([^<]*)</server-name>");
    private static final Pattern IDENTITY =
        Pattern.compile("(?s)<cluster>(?:(?!</cluster>).)*?<identity>\\s*(\\d{1,9})\\s*</identity>");
    private static final Pattern END = Pattern.compile("()</[\\w:]*config>\\s*$");

    private final CommentedText script;

    private final CommentedText configuration;

    private DomainFiles(final CommentedText script, final CommentedText configuration)
    {
        this.script = script;
        this.configuration = configuration;
    }

    static DomainFiles read(final Path directory) throws IOException
    {
        return new DomainFiles(
            new CommentedText(Files.readString(directory.resolve(SCRIPT), BYTES), SCRIPT_REMARK),
            new CommentedText(Files.readString(directory.resolve(CONFIGURATION), BYTES), XML_REMARK));
    }

    void write(final Path directory) throws IOException
    {
        Files.writeString(directory.resolve(SCRIPT), script.toString(), BYTES);
        Files.writeString(directory.resolve(CONFIGURATION), configuration.toString(), BYTES);
    }

    /** Returns the ports, those of the script first. The management endpoint is named {@code netio}. */
    List<NamedPort> ports()
    {
        final List<NamedPort> ports = new ArrayList<>();
        script.find(SCRIPT_PORT).forEach(match -> ports.add(ofScript(match)));
        configuration.find(NETIO_PORT).forEach(match -> ports.add(ofNetio(match)));
        return ports;
    }

    private static NamedPort ofScript(final MatchResult match)
    {
        return new NamedPort(match.group(1).isEmpty() ? "port" : match.group(1), Integer.parseInt(match.group(2)));
    }

    private static NamedPort ofNetio(final MatchResult match)
    {
        final Matcher name = NAME.matcher(match.group());
        final boolean secure = match.group().contains("<ssl-config-bean-name>");
        return new NamedPort(secure ? name.find() ? name.group(1) : "netio-ssl" : "netio",
            Integer.parseInt(match.group(1)));
    }

    /** Returns a copy with other port numbers. */
    DomainFiles renumbered(final UnaryOperator<NamedPort> change)
    {
        return new DomainFiles(
            script.replace(SCRIPT_PORT, 2, match -> String.valueOf(change.apply(ofScript(match)).number())),
            configuration.replace(NETIO_PORT, 1, match -> String.valueOf(change.apply(ofNetio(match)).number())));
    }

    /** Returns the processors of the instance; empty where the script has no such setting. */
    Optional<String> processorSet()
    {
        return script.find(PROCESSOR_SET).stream().map(match -> match.group(1)).findFirst();
    }

    /** Returns a copy with other processors. */
    DomainFiles processorSet(final String set)
    {
        return new DomainFiles(script.replace(PROCESSOR_SET, 1, match -> set), configuration);
    }

    /** Returns the name of the domain, which all members of a cluster share. */
    Optional<String> domainName()
    {
        return configuration.find(DOMAIN_NAME).stream().map(match -> match.group(1)).findFirst();
    }

    DomainFiles domainName(final String name)
    {
        return new DomainFiles(script, configuration.replace(DOMAIN_NAME, 1, match -> name));
    }

    /** Returns the name of this cluster member; empty without a cluster element or without a name in it. */
    Optional<String> serverName()
    {
        return configuration.find(SERVER_NAME).stream().map(match -> match.group(1).strip()).findFirst();
    }

    /** Returns a copy with another name in the cluster; unchanged without a cluster element. */
    DomainFiles serverName(final String name)
    {
        return new DomainFiles(script, serverName().isPresent() ?
            configuration.replace(SERVER_NAME, 1, match -> name) :
            configuration.replace(CLUSTER, 1, match -> "\n    <server-name>" + name + "</server-name>"));
    }

    /** Returns a copy whose identity in the cluster, if any, is increased. */
    DomainFiles identityRaised(final int by)
    {
        return new DomainFiles(script, configuration.replace(
            IDENTITY, 1, match -> String.valueOf(Integer.parseInt(match.group(1)) + by)));
    }

    /** Returns a copy with additional elements at the end of the configuration. */
    DomainFiles configurationExtended(final String elements)
    {
        return new DomainFiles(script, configuration.replace(END, 1, match -> elements));
    }
}
