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
 * Refuses nodes that do not know the secret of the domain, nodes that are only clients, members of another domain, and
 * a second one of the same name. Ignite asks the oldest member, whose answer the one that wants to join gets as its
 * failure to start; who does not know the secret hears no name.
 */
final class JoinCheck implements PluginProvider<PluginConfiguration>
{
    /** Begins what a refused member is told. */
    static final String REFUSED = "refused: ";
    /** What one is told that does not know the secret. */
    static final String NO_SECRET = "the secret of the domain is another one";

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

    /** The only one of its kind that must be there; the newer one calls it. */
    @Override
    @SuppressWarnings("deprecation")
    public void validateNewNode(final ClusterNode node)
    {
        if (!Attributes.isProven(node, settings) || node.isClient())
        {
            final String reason = node.isClient() ? "clients do not get in" : NO_SECRET;
            LOG.warn("CLU-0014 a node was not let in, from={} client={} reason={}; only members that know the secret "
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
        final String name = Attributes.name(node);
        if (!Attributes.domain(node).equals(settings.domainName()))
        {
            return "another domain uses these addresses, domain=" + settings.domainName() + " of the new member=" +
                Attributes.domain(node) + " server-name=" + name;
        }
        final Ignite here = ignite;
        final boolean taken = here == null ? name.equals(settings.serverName()) :
            here.cluster().nodes().stream().anyMatch(each -> Attributes.name(each).equals(name));
        return taken ? "a member of this name is there already, server-name=" + name : null;
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

    /** Nobody asks for it, but it may not be missing. */
    @Override
    @SuppressWarnings("unchecked")
    public <T extends IgnitePlugin> T plugin()
    {
        return (T)PLUGIN;
    }

    @Override
    public void initExtensions(final PluginContext context, final ExtensionRegistry registry)
    {
        // It extends nothing.
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
        // The members are asked for when one joins.
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
        // None is sent.
    }
}
