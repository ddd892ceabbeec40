package dev.millrace.server.deployment;

import dev.millrace.assembly.BundleDifference;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.server.deployment.DeploymentRegistry.Entry;
import dev.millrace.server.deployment.DeploymentsFile.Deployment;
import dev.millrace.server.extender.ManagedApplication;
import dev.millrace.server.extender.NetworkTransfer;
import dev.millrace.server.extender.VersionHandover;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the running version with one that is created, planned and compiled. When only rules differ, the running
 * version gets the new rules. When channels and processors are the same, its network continues with the beans and rules
 * of the new version. Called with the lock of {@link Deployer} held.
 *
 * <pre>
 *   files are exchanged ─► the network gets beans and rules of the new version, the old version's beans end
 *                   or: the network pauses ─► a new one opens ports ─► the old one ends ─► the new one is wired
 *                           └────────── on failure, the old one continues ─────────┘
 * </pre>
 */
final class VersionSwitch
{
    private static final Logger LOG = LoggerFactory.getLogger(VersionSwitch.class);

    private final ApplicationBundles bundles;
    private final ApplicationStore store;
    private final DeploymentRegistry deployed;
    private final ApplicationStart start;

    /** Changes that a rejected version caused despite the rollback. */
    private final List<String> damage = new ArrayList<>();

    /** Prepares the next version again. */
    @FunctionalInterface
    interface Preparation
    {
        ManagedApplication again() throws IOException, DeploymentException;
    }

    VersionSwitch(final ApplicationBundles bundles, final ApplicationStore store, final DeploymentRegistry deployed,
        final ApplicationStart start)
    {
        this.bundles = bundles;
        this.store = store;
        this.deployed = deployed;
        this.start = start;
    }

    /**
     * The next version.
     *
     * @param bundle      a started bundle
     * @param application the prepared application; {@code null} when the bundle is a library
     * @param startNs     limit for its start
     * @param preparation prepares it again, when its beans were opened for a network that could not be kept
     */
    record Next(Bundle bundle, ManagedApplication application, long startNs, Preparation preparation)
    {
    }

    /**
     * Replaces a version with another one.
     *
     * @param entry the current version, running or not
     * @param notes notes for the report
     * @return effects on the state
     * @throws IOException         when files cannot be exchanged; the old version is not affected
     * @throws DeploymentException when the next version cannot open its resources; the old version continues
     */
    UpdateReport run(final Next version, final Entry entry, final List<String> notes)
        throws IOException, DeploymentException
    {
        final ManagedApplication next = version.application();
        final String name = entry.deployment().name();
        final ManagedApplication before = deployed.managed(entry);
        final Optional<Map<String, List<Rule>>> rules = before == null || next == null ||
            !BundleDifference.isOnlyConfiguration(entry.deployment().jar(), store.nextJar(name)) ? Optional.empty() :
            new VersionHandover(next).onlyRulesFor(before);
        store.exchange(name);
        final Map<String, RuleChange> changes =
            rules.isEmpty() ? Map.of() : exchangeRules(name, before, rules.get());
        final UpdateReport report;
        if (changes.isEmpty())
        {
            report = replace(entry, version, notes);
        }
        else
        {
            report = UpdateReport.ofRules(changes, notes);
            before.runsVersion(next.version());
            deployed.put(new Entry(here(entry, version), entry.bundle(), List.of()));
            remove(version.bundle());
        }
        store.forgetOld(name);
        return report;
    }

    /** Returns the lasting effects of a rejected version, for the log. */
    String remains()
    {
        return damage.isEmpty() ? "nothing was changed" : String.join("; ", damage);
    }

    private UpdateReport replace(final Entry entry, final Next version, final List<String> notes)
        throws IOException, DeploymentException
    {
        final ManagedApplication next = version.application();
        final ManagedApplication before = deployed.managed(entry);
        final NetworkTransfer transfer =
            before == null || next == null ? null : NetworkTransfer.of(before, next);
        final List<String> all = new ArrayList<>(notes);
        if (transfer == null)
        {
            return takeOver(entry, version, all);
        }
        Next prepared = version;
        if (transfer.obstacles().isEmpty())
        {
            if (transfer(entry, version.bundle(), transfer))
            {
                end(entry, version);
                remove(entry.bundle());
                all.addAll(transfer.notes());
                all.addAll(next.outdatedCopies());
                return new UpdateReport(transfer.changes(), all, transfer.pausedNs());
            }
            prepared = again(entry, version);
        }
        all.add("a new network was created: " + String.join("; ", transfer.obstacles()));
        return takeOver(entry, prepared, all);
    }

    private boolean transfer(final Entry entry, final Bundle bundle, final NetworkTransfer transfer)
        throws DeploymentException
    {
        try
        {
            return transfer.run();
        }
        catch (final DeploymentException e)
        {
            exchangeBack(entry);
            bundles.stop(bundle);
            throw e;
        }
        finally
        {
            transfer.renewed().forEach(this::wasCut);
        }
    }

    private void wasCut(final String source)
    {
        damage.add("connections of adapter " + source
            + " were closed because it had released its port to the next version");
    }

    private Next again(final Entry entry, final Next version) throws IOException, DeploymentException
    {
        boolean isDone = false;
        try
        {
            final Next prepared =
                new Next(version.bundle(), version.preparation().again(), version.startNs(), version.preparation());
            isDone = true;
            return prepared;
        }
        finally
        {
            if (!isDone)
            {
                exchangeBack(entry);
            }
        }
    }

    private Deployment here(final Entry entry, final Next version)
    {
        final String name = entry.deployment().name();
        return new Deployment(name, store.jar(name), entry.deployment().suspended(), version.startNs());
    }

    /**
     * Changes the rules of all processors or none; returns an empty map when a rule cannot be replaced while events
     * flow.
     */
    private Map<String, RuleChange> exchangeRules(
        final String name, final ManagedApplication application, final Map<String, List<Rule>> rules)
    {
        final Map<String, RuleChange> changes = new LinkedHashMap<>();
        final Map<String, List<Rule>> were = new LinkedHashMap<>();
        try
        {
            for (final Map.Entry<String, List<Rule>> each : rules.entrySet())
            {
                final List<Rule> was = application.network().rules(each.getKey());
                changes.put(each.getKey(), application.network().rules().change(each.getKey(), each.getValue()));
                were.put(each.getKey(), was);
            }
            return changes;
        }
        catch (final DeploymentException e)
        {
            LOG.info("rules cannot be replaced while events flow, a new network is created, name={}\n{}", name,
                e.getMessage());
            were.forEach((processor, was) -> putBack(name, application, processor, was));
            return Map.of();
        }
    }

    private void putBack(
        final String name, final ManagedApplication application, final String processor, final List<Rule> was)
    {
        try
        {
            application.network().rules().change(processor, was);
        }
        catch (final DeploymentException e)
        {
            damage.add("rules of processor " + processor + " cannot be restored");
            LOG.error("rules cannot be restored, application={} processor={}", name, processor, e);
        }
    }

    private UpdateReport takeOver(final Entry entry, final Next version, final List<String> notes)
        throws DeploymentException
    {
        final ManagedApplication next = version.application();
        final ManagedApplication before = deployed.managed(entry);
        final List<String> all = new ArrayList<>(notes);
        final Map<String, List<Rule>> rules = next == null ? Map.of() : new VersionHandover(next).preparedRules();
        if (before != null)
        {
            before.network().sources().forEach(
                source -> all.add("adapter " + source + " was created again: its connections were closed"));
        }
        final Map<String, Long> caches = cacheSizes(before);
        final long startNs = System.nanoTime();
        final Map<String, Map<String, String>> held = stepAside(entry, before);
        if (next != null)
        {
            try
            {
                new VersionHandover(next).activate(before);
            }
            catch (final DeploymentException e)
            {
                exchangeBack(entry);
                // Releases the ports it has opened, because the old version may need them again.
                bundles.stop(version.bundle());
                goOn(entry, before);
                throw e;
            }
        }
        end(entry, version);
        final long pausedNs = System.nanoTime() - startNs;
        if (entry.bundle() != null)
        {
            remove(entry.bundle());
        }
        final Map<String, Long> now = cacheSizes(next);
        caches.forEach((cache, size) ->
        {
            final long left = now.getOrDefault(cache, 0L);
            if (left < size)
            {
                all.add("cache " + cache + " was created again: it had " + size + " entries and has " + left);
            }
        });
        all.addAll(next == null ? List.of() : next.outdatedCopies());
        final Map<String, RuleChange> restored =
            next == null || !next.network().isRunning() ? Map.of() : next.network().rules().restored();
        return UpdateReport.ofNewNetwork(held, rules, restored, all, pausedNs);
    }

    /** Caches of providers pass their entries to the next version; caches in the memory of this process do not. */
    private static Map<String, Long> cacheSizes(final ManagedApplication application)
    {
        final Map<String, Object> statistics = application == null ? null : application.network().statistics();
        final Map<String, Long> sizes = new LinkedHashMap<>();
        if (statistics != null && statistics.get("caches") instanceof List<?> caches)
        {
            caches.stream().map(Map.class::cast).forEach(
                cache -> sizes.put(cache.get("id").toString(), ((Number)cache.get("size")).longValue()));
        }
        return sizes;
    }

    private static Map<String, Map<String, String>> stepAside(final Entry entry, final ManagedApplication before)
    {
        try
        {
            return before == null ? Map.of() : new VersionHandover(before).stepAside();
        }
        catch (final DeploymentException e)
        {
            // A version that hangs is replaced anyway.
            LOG.warn("application did not pause for its next version, name={}\n{}", entry.deployment().name(),
                e.getMessage());
            return Map.of();
        }
    }

    private void goOn(final Entry entry, final ManagedApplication before)
    {
        try
        {
            if (before != null)
            {
                new VersionHandover(before).goOn().forEach(this::wasCut);
            }
        }
        catch (final DeploymentException e)
        {
            damage.add("a stage of the old version does not continue");
            LOG.error("update rejected, and a stage of the old version does not continue, name={}\n{}",
                entry.deployment().name(), e.getMessage());
        }
    }

    /** Ends the old version and activates the next one; the old version's state is lost from here on. */
    private void end(final Entry entry, final Next version) throws DeploymentException
    {
        final ManagedApplication next = version.application();
        deployed.put(new Entry(here(entry, version), version.bundle(), List.of()));
        if (entry.bundle() != null)
        {
            bundles.stop(entry.bundle());
        }
        if (next != null)
        {
            try
            {
                new VersionHandover(next).takeOver();
            }
            catch (final DeploymentException e)
            {
                exchangeBack(entry);
                deployed.put(entry);
                startAgain(entry);
                throw e;
            }
        }
    }

    private void startAgain(final Entry entry)
    {
        if (entry.bundle() == null)
        {
            return;
        }
        try
        {
            start.run(entry.bundle(), entry.deployment().startNs());
            damage.add("the old version was started again and has lost its state, except that of durable processors");
            LOG.error("update rejected after the old version had ended: it was started again and has lost its state, "
                + "name={} version={}", entry.deployment().name(), entry.version());
        }
        catch (final DeploymentException e)
        {
            damage.add("the old version has ended and does not start");
            LOG.error("update rejected, and the old version does not start, name={}", entry.deployment().name(), e);
            deployed.put(new Entry(entry.deployment(), entry.bundle(), e.problems()));
        }
    }

    private void exchangeBack(final Entry entry)
    {
        final String name = entry.deployment().name();
        try
        {
            store.exchangeBack(name);
        }
        catch (final IOException e)
        {
            damage.add("files of the running version cannot be restored");
            LOG.error("files of the running version cannot be restored, name={}", name, e);
            deployed.put(new Entry(entry.deployment(), entry.bundle(), List.of(new Problem("SRV-0211",
                new SourcePosition(entry.deployment().jar().toString(), 0, 0),
                "the bundle cannot be restored, reason=" + e, "install it again", ""))));
        }
    }

    private void remove(final Bundle bundle)
    {
        try
        {
            bundles.uninstall(bundle);
        }
        catch (final DeploymentException e)
        {
            LOG.error("bundle of an unused version cannot be removed, name={}", bundle.getSymbolicName(), e);
        }
    }
}
