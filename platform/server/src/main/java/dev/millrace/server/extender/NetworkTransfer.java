package dev.millrace.server.extender;

import dev.millrace.network.NetworkReplacement;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.RuleChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transfers the network of the running version to the next version, which replaces its beans and rules. Confined to one
 * thread; each step runs on the thread of the application it concerns.
 */
public final class NetworkTransfer
{
    private static final Logger LOG = LoggerFactory.getLogger(NetworkTransfer.class);

    private final VersionHandover before;

    private final RunningContext from;

    private final VersionHandover next;

    private final RunningContext to;

    private final NetworkReplacement exchange;

    private Map<String, RuleChange> changes;

    private List<String> renewed = List.of();

    private NetworkTransfer(
        final VersionHandover before, final RunningContext from, final VersionHandover next, final RunningContext to)
    {
        this.before = before;
        this.from = from;
        this.next = next;
        this.to = to;
        this.exchange = to.exchangeFrom(from);
    }

    /**
     * Compares a prepared version with a version whose network may continue.
     *
     * @param before the running version
     * @param next   the prepared version
     * @return the transfer; {@code null} when one of the two has no network
     */
    public static NetworkTransfer of(final ManagedApplication before, final ManagedApplication next)
    {
        final RunningContext from = before.contexts().running();
        final RunningContext to = next.contexts().prepared();
        return from == null || from.network() == null || to == null ? null :
            new NetworkTransfer(new VersionHandover(before), from, new VersionHandover(next), to);
    }

    /**
     * Returns the reasons why the network must be rebuilt.
     *
     * @return descriptions; empty when the network can continue
     */
    public List<String> obstacles()
    {
        return exchange.obstacles();
    }

    /**
     * Replaces the beans and rules of the network with those of the next version and transfers it. Afterwards the
     * caller closes the context of the previous version and lets the next version take over.
     *
     * @return false when this is not possible while events flow, see {@link #obstacles}; the previous version continues
     * @throws DeploymentException when a bean fails; the previous version continues
     */
    public boolean run() throws DeploymentException
    {
        try
        {
            next.step("open beans", () ->
            {
                to.activate(exchange, before::release);
                return null;
            });
            changes = next.step("replace beans and rules", exchange::apply);
        }
        catch (final DeploymentException e)
        {
            undo();
            if (exchange.obstacles().isEmpty())
            {
                throw e;
            }
            LOG.info("a new network is created, reasons={}\n{}", exchange.obstacles(), e.getMessage());
            return false;
        }
        if (changes == null)
        {
            undo();
            return false;
        }
        letGo();
        to.goOnWith(exchange.network());
        return true;
    }

    private void letGo()
    {
        try
        {
            before.step("close beans", () ->
            {
                from.letGo(exchange);
                return null;
            });
        }
        catch (final DeploymentException e)
        {
            LOG.warn("beans of the previous version did not close cleanly\n{}", e.getMessage());
        }
    }

    private void undo()
    {
        exchange.undo(() ->
        {
            try
            {
                renewed = before.renew();
            }
            catch (final DeploymentException e)
            {
                LOG.error("a stage of the running version does not continue\n{}", e.getMessage());
            }
        });
    }

    /**
     * Returns the effect on the queries.
     *
     * @return by processor, after {@link #run}
     */
    public Map<String, RuleChange> changes()
    {
        return changes;
    }

    /**
     * Returns the effect on adapters and beans.
     *
     * @return descriptions
     */
    public List<String> notes()
    {
        final List<String> notes = new ArrayList<>(
            List.of("the network was kept: unchanged rules have kept their state"));
        notes.addAll(exchange.notes());
        return notes;
    }

    /**
     * Returns the sources of the running version that were created again because they had released their ports for the
     * rejected version.
     *
     * @return ids, usually empty
     */
    public List<String> renewed()
    {
        return renewed;
    }

    /** Returns how long rows waited, in nanoseconds. */
    public long pausedNs()
    {
        return exchange.pausedNs();
    }
}
