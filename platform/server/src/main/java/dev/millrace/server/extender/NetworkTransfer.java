package dev.millrace.server.extender;

import dev.millrace.network.NetworkExchange;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.RuleChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the network of the version that runs to the next version, which puts its beans and rules into it. Called by one
 * thread; each step runs on the thread of the application that it concerns.
 */
public final class NetworkTransfer
{
    private static final Logger LOG = LoggerFactory.getLogger(NetworkTransfer.class);

    private final VersionHandover before;

    private final RunningContext from;

    private final VersionHandover next;

    private final RunningContext to;

    private final NetworkExchange exchange;

    private Map<String, RuleChange> changes;

    private List<String> renewed = List.of();

    NetworkTransfer(
        final VersionHandover before, final RunningContext from, final VersionHandover next, final RunningContext to)
    {
        this.before = before;
        this.from = from;
        this.next = next;
        this.to = to;
        this.exchange = to.exchangeFrom(from);
    }

    /**
     * Why the network has to be rebuilt.
     *
     * @return facts in words; empty when it can continue
     */
    public List<String> obstacles()
    {
        return exchange.obstacles();
    }

    /**
     * Puts the beans and rules of the next version into the network and hands it over. The context of the version
     * before is to be closed then, and the next version to take over.
     *
     * @return false when that cannot be done while events flow, see {@link #obstacles}; the version before continues
     * @throws DeploymentException when a bean refuses; the version before continues
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
            changes = next.step("exchange beans and rules", exchange::apply);
        }
        catch (final DeploymentException e)
        {
            undo();
            if (exchange.obstacles().isEmpty())
            {
                throw e;
            }
            LOG.info("network is made anew, reasons={}\n{}", exchange.obstacles(), e.getMessage());
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
            LOG.warn("beans of the version before do not close cleanly\n{}", e.getMessage());
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
                LOG.error("a stage of the version that runs does not go on\n{}", e.getMessage());
            }
        });
    }

    /**
     * What became of the queries.
     *
     * @return by processor, after {@link #run}
     */
    public Map<String, RuleChange> changes()
    {
        return changes;
    }

    /**
     * What became of adapters and beans.
     *
     * @return facts in words
     */
    public List<String> notes()
    {
        final List<String> notes = new ArrayList<>(
            List.of("the network was kept: rules that stay the same have kept their state"));
        notes.addAll(exchange.notes());
        return notes;
    }

    /**
     * Sources of the version that runs that had to be rebuilt, because they had given up their ports in vain.
     *
     * @return ids, mostly none
     */
    public List<String> renewed()
    {
        return renewed;
    }

    /**
     * How long rows waited.
     *
     * @return nanoseconds
     */
    public long pausedNs()
    {
        return exchange.pausedNs();
    }
}
