package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterSettings;
import java.io.Serializable;
import java.util.UUID;
import org.apache.ignite.Ignite;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.plugin.CachePluginContext;
import org.apache.ignite.plugin.CachePluginProvider;
import org.apache.ignite.plugin.ExtensionRegistry;
import org.apache.ignite.plugin.IgnitePlugin;
import org.apache.ignite.plugin.PluginConfiguration;
import org.apache.ignite.plugin.PluginContext;
import org.apache.ignite.plugin.PluginProvider;
import org.apache.ignite.plugin.PluginValidationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rejects nodes without the secret of the domain, client nodes, members of another domain, and a second member with the
 * same name. Ignite calls this on the oldest member and returns the answer to the joining node as its start failure. A
 * node without the secret does not learn any name.
 */
final class JoinCheck implements PluginProvider<PluginConfiguration>
{
    /** Prefix of the answer to a rejected member. */
    static final String REFUSED = "refused: ";
    /** Answer to a node without the secret. */
    static final String NO_SECRET = "the secret of the domain is different";

    private static final Logger LOG = LoggerFactory.getLogger(JoinCheck.class);

    private static final IgnitePlugin PLUGIN = new IgnitePlugin()
    {
    };

    private final ClusterSettings settings;
    private volatile Ignite ignite;

    JoinCheck(final ClusterSettings settings)
    {
        this.settings = settings;
    }

    /** The only variant that must be implemented; the newer one calls it. */
    @Override
    @SuppressWarnings("deprecation")
    public void validateNewNode(final ClusterNode node)
    {
        if (!NodeAttributes.isProven(node, settings) || node.isClient())
        {
            final String reason = node.isClient() ? "client nodes are not allowed" : NO_SECRET;
            LOG.warn("CLU-0014 a node was rejected, from={} client={} reason={}; only members that have the secret "
                + "of the domain may join", node.addresses(), node.isClient(), reason);
            throw new PluginValidationException(REFUSED + reason, REFUSED + reason, node.id());
        }
        final String problem = problem(node);
        if (problem != null)
        {
            throw new PluginValidationException("a member is " + REFUSED + problem,
                REFUSED + problem + ", refusedBy=" + settings.serverName(), node.id());
        }
    }

    private String problem(final ClusterNode node)
    {
        final String name = NodeAttributes.name(node);
        if (!NodeAttributes.domain(node).equals(settings.domainName()))
        {
            return "another domain uses these addresses, domain=" + settings.domainName() + " of the new member=" +
                NodeAttributes.domain(node) + " server-name=" + name;
        }
        final Ignite here = ignite;
        final boolean taken = here == null ? name.equals(settings.serverName()) :
            here.cluster().nodes().stream().anyMatch(each -> NodeAttributes.name(each).equals(name));
        return taken ? "a member with this name already exists, server-name=" + name : null;
    }

    @Override
    public String name()
    {
        return "millrace";
    }

    @Override
    public String version()
    {
        return "1";
    }

    @Override
    public String copyright()
    {
        return "";
    }

    /** Unused, but Ignite requires it. */
    @Override
    @SuppressWarnings("unchecked")
    public <T extends IgnitePlugin> T plugin()
    {
        return (T)PLUGIN;
    }

    @Override
    public void initExtensions(final PluginContext context, final ExtensionRegistry registry)
    {
        // There are no extensions.
    }

    @Override
    public <T> T createComponent(final PluginContext context, final Class<T> type)
    {
        return null;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public CachePluginProvider createCacheProvider(final CachePluginContext context)
    {
        return null;
    }

    @Override
    public void start(final PluginContext context)
    {
        ignite = context.grid();
    }

    @Override
    public void stop(final boolean cancel)
    {
        ignite = null;
    }

    @Override
    public void onIgniteStart()
    {
        // Members are checked when one joins, not here.
    }

    @Override
    public void onIgniteStop(final boolean cancel)
    {
        ignite = null;
    }

    @Override
    public Serializable provideDiscoveryData(final UUID nodeId)
    {
        return null;
    }

    @Override
    public void receiveDiscoveryData(final UUID nodeId, final Serializable data)
    {
        // No data is sent.
    }
}
