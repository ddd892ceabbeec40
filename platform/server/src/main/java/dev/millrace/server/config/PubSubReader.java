package dev.millrace.server.config;

import dev.millrace.api.http.ChannelAccess;
import dev.millrace.api.http.ChannelConstraint;
import dev.millrace.api.http.ChannelConstraint.Operation;
import dev.millrace.api.http.ChannelLimits;
import dev.millrace.api.http.ChannelNames;
import dev.millrace.api.http.ChannelServer;
import dev.millrace.api.http.ChannelTransport;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads {@code http-pubsub} elements in the format of Oracle Event Processing, with extensions. Not thread-safe. */
final class PubSubReader
{
    private static final Pattern PATH = Pattern.compile("(/[\\p{Alnum}._-]+)+");
    private static final Map<String, ChannelTransport> TRANSPORTS = Map.of(
        "long-polling", ChannelTransport.LONG_POLLING, "callback-polling", ChannelTransport.CALLBACK_POLLING,
        "websocket", ChannelTransport.WEBSOCKET, "server-sent-events", ChannelTransport.EVENT_STREAM);
    private static final Set<ChannelTransport> STANDARD_TRANSPORTS = EnumSet.of(ChannelTransport.LONG_POLLING,
        ChannelTransport.WEBSOCKET, ChannelTransport.EVENT_STREAM);

    private final ConfigurationProblems problems;
    private final List<ChannelServer> servers = new ArrayList<>();
    private final Set<ChannelTransport> transports = EnumSet.noneOf(ChannelTransport.class);
    private final List<String> channels = new ArrayList<>();
    private final List<ChannelConstraint> constraints = new ArrayList<>();
    private String name;
    private String path;
    private String eventServer;
    private Limits limits;
    private Set<String> origins;
    private boolean isUnauthenticatedAllowed;
    private boolean isPublishWithoutConnectAllowed;

    /** The limits as read so far. */
    private static final class Limits
    {
        private int clients = ChannelLimits.STANDARD.clients();
        private int subscriptions = ChannelLimits.STANDARD.subscriptions();
        private int messageBytes = ChannelLimits.STANDARD.messageBytes();
        private int queueBytes = ChannelLimits.STANDARD.queueBytes();
        private int retainedBytes = ChannelLimits.STANDARD.retainedBytes();
        private boolean isSlowDisconnected = ChannelLimits.STANDARD.isSlowDisconnected();
        private int clientTimeoutMillis = ChannelLimits.STANDARD.clientTimeoutMillis();
        private int pollMillis = ChannelLimits.STANDARD.pollMillis();
    }

    PubSubReader(final ConfigurationProblems problems)
    {
        this.problems = problems;
    }

    /** The servers that were read, or else the default one, which Oracle Event Processing always has. */
    List<ChannelServer> servers()
    {
        return !servers.isEmpty() ? servers : List.of(new ChannelServer("pubsub", "/pubsub", null,
            STANDARD_TRANSPORTS, List.of(), List.of(), ChannelLimits.STANDARD,
            new ChannelAccess(Set.of(), false, true)));
    }

    /** Reads an element. */
    void read(final XmlElement element)
    {
        begin();
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "name" -> name = child.text();
                case "path" -> path = child.text();
                case "jetty-name" -> eventServer = child.text();
                case "pub-sub-bean" -> child.children().forEach(this::bean);
                default -> problems.addUnknown(child);
            }
        }
        if (name == null || path == null || !PATH.matcher(path).matches())
        {
            problems.add("SRV-0167", element, "an http-pubsub element has no name or no path, name=" + name + " path=" +
                path, "add <name>, and a <path> such as /pubsub");
        }
        else if (servers.stream().anyMatch(other -> other.name().equals(name) || other.path().equals(path)))
        {
            problems.add("SRV-0104", element, "two http-pubsub elements have the same name or path, name=" + name +
                " path=" + path, "rename one");
        }
        else
        {
            servers.add(new ChannelServer(name, path, eventServer,
                transports.isEmpty() ? STANDARD_TRANSPORTS : transports, channels, constraints,
                new ChannelLimits(limits.clients, limits.subscriptions, limits.messageBytes, limits.queueBytes,
                limits.retainedBytes, limits.isSlowDisconnected, limits.clientTimeoutMillis, limits.pollMillis),
                new ChannelAccess(origins, isUnauthenticatedAllowed, isPublishWithoutConnectAllowed)));
        }
    }

    private void begin()
    {
        name = null;
        path = null;
        eventServer = null;
        transports.clear();
        channels.clear();
        constraints.clear();
        limits = new Limits();
        origins = new LinkedHashSet<>();
        isUnauthenticatedAllowed = false;
        isPublishWithoutConnectAllowed = true;
    }

    private void bean(final XmlElement element)
    {
        switch (element.name())
        {
            case "server-config" -> element.children().forEach(this::serverConfig);
            case "channels" -> elements(element).forEach(this::channel);
            case "channel-constraints" -> elements(element).forEach(this::constraint);
            default -> problems.addUnknown(element);
        }
    }

    private List<XmlElement> elements(final XmlElement list)
    {
        list.children().stream().filter(child -> !child.name().equals("element")).forEach(problems::addUnknown);
        return list.children().stream().filter(child -> child.name().equals("element")).toList();
    }

    private void serverConfig(final XmlElement element)
    {
        switch (element.name())
        {
            case "supported-transport" -> element.children().forEach(this::types);
            case "publish-without-connect-allowed" -> isPublishWithoutConnectAllowed = problems.truth(element, true);
            case "allow-unauthenticated" -> isUnauthenticatedAllowed = problems.truth(element, false);
            case "allowed-origins" -> elements(element).forEach(each -> origins.add(each.text()));
            case "name", "work-manager", "persistent-client-timeout-secs", "connection-idle-timeout-secs" ->
                problems.addNotUsed(element);
            default -> limit(element);
        }
    }

    private void limit(final XmlElement element)
    {
        switch (element.name())
        {
            case "client-timeout-secs" -> limits.clientTimeoutMillis = seconds(element);
            case "poll-secs" -> limits.pollMillis = seconds(element);
            case "interval-millisecs" -> problems.addNotUsed(element);
            case "max-clients" -> limits.clients = problems.number(element, 1, 100_000, limits.clients);
            case "max-subscriptions" ->
                limits.subscriptions = problems.number(element, 1, 100_000, limits.subscriptions);
            case "max-message-bytes" ->
                limits.messageBytes = problems.number(element, 1, 64 << 20, limits.messageBytes);
            case "max-queue-bytes" -> limits.queueBytes = problems.number(element, 1_024, 1 << 30, limits.queueBytes);
            case "retained-bytes" ->
                limits.retainedBytes = problems.number(element, 0, 1 << 30, limits.retainedBytes);
            case "slow-client" -> limits.isSlowDisconnected = isDisconnect(element);
            default -> problems.addUnknown(element);
        }
    }

    private int seconds(final XmlElement element)
    {
        return problems.number(element, 1, 86_400, 60) * 1_000;
    }

    private boolean isDisconnect(final XmlElement element)
    {
        final boolean isDisconnect = element.text().equals("disconnect");
        if (!isDisconnect && !element.text().equals("lose-messages"))
        {
            problems.add("SRV-0167", element, "no such treatment of slow clients, slow-client=" + element.text(),
                "use disconnect or lose-messages");
        }
        return isDisconnect;
    }

    private void types(final XmlElement element)
    {
        if (!element.name().equals("types"))
        {
            problems.addUnknown(element);
            return;
        }
        for (final XmlElement type : elements(element))
        {
            final ChannelTransport transport = TRANSPORTS.get(type.text());
            if (transport == null)
            {
                problems.add("SRV-0167", type, "no such transport, transport=" + type.text(),
                    "use one of " + TRANSPORTS.keySet().stream().sorted().toList());
            }
            else
            {
                transports.add(transport);
            }
        }
    }

    private void channel(final XmlElement element)
    {
        for (final XmlElement child : element.children())
        {
            if (child.name().equals("channel-pattern"))
            {
                pattern(child, channels);
            }
            else
            {
                problems.addUnknown(child);
            }
        }
    }

    private void pattern(final XmlElement element, final List<String> to)
    {
        if (ChannelNames.isName(element.text()) || ChannelNames.isWild(element.text()))
        {
            to.add(element.text());
        }
        else
        {
            problems.add("SRV-0167", element, "not a channel, channel-pattern=" + element.text(),
                "use a name such as /stock/ORCL, or end a pattern with /* or /**");
        }
    }

    private void constraint(final XmlElement element)
    {
        final List<String> patterns = new ArrayList<>();
        final Set<Operation> operations = EnumSet.noneOf(Operation.class);
        final List<String> roles = new ArrayList<>();
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "channel-resource-collection" ->
                    elements(child).forEach(each -> resource(each, patterns, operations));
                case "auth-constraint" -> roles(child, roles);
                default -> problems.addUnknown(child);
            }
        }
        if (patterns.isEmpty())
        {
            problems.add("SRV-0167", element, "a constraint has no channel",
                "add <channel-resource-collection><element><channel-pattern>/...</channel-pattern></element>");
        }
        constraints.add(new ChannelConstraint(patterns,
            operations.isEmpty() ? EnumSet.allOf(Operation.class) : operations, roles));
    }

    private void resource(final XmlElement element, final List<String> patterns, final Set<Operation> operations)
    {
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "channel-pattern" -> pattern(child, patterns);
                case "channel-operation" -> operation(child, operations);
                case "channel-resource-name", "description" -> problems.addNotUsed(child);
                default -> problems.addUnknown(child);
            }
        }
    }

    private void operation(final XmlElement element, final Set<Operation> to)
    {
        switch (element.text().toLowerCase(Locale.ROOT))
        {
            case "subscribe" -> to.add(Operation.SUBSCRIBE);
            case "publish" -> to.add(Operation.PUBLISH);
            default -> problems.add("SRV-0167", element, "no such operation, channel-operation=" + element.text(),
                "use subscribe or publish; clients can neither create nor delete channels");
        }
    }

    private void roles(final XmlElement element, final List<String> roles)
    {
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "role-name" -> roles.add(child.text());
                case "description" -> problems.addNotUsed(child);
                default -> problems.addUnknown(child);
            }
        }
    }
}
