package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.server.deployment.Deployed.Entry;
import dev.millrace.server.deployment.DeploymentsFile.Deployment;
import dev.millrace.server.extender.ManagedApplication;
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
 * Puts a version that is made, planned and compiled in the place of the one that runs. When nothing but rules differ,
 * the one that runs gets the rules. Called under the lock of {@link Deployer}.
 *
 * <pre>
 *   files change places ─► old network pauses ─► new one opens ports ─► old one ends ─► new one is wired and runs
 *                          └────────── when that fails, the old one goes on ──────┘
 * </pre>
 */
final class VersionSwitch
{
    private static final Logger LOG = LoggerFactory.getLogger(VersionSwitch.class);

    private final ApplicationBundles bundles;
    private final ApplicationStore store;
    private final Deployed deployed;
    private final ApplicationStart start;

    VersionSwitch(final ApplicationBundles bundles, final ApplicationStore store, final Deployed deployed,
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
     * @param bundle      started
     * @param application prepared; {@code null} when the bundle is a library
     * @param startNs     how long it may take to start
     */
    record Next(Bundle bundle, ManagedApplication application, long startNs)
    {
    }

    /**
     * Puts a version in the place of another one.
     *
     * @param version that is next
     * @param entry   the version that runs, or does not
     * @param notes   for the report
     * @return what became of the state
     * @throws IOException         when files cannot change places; the old version runs on, untouched
     * @throws DeploymentException when the next version does not open what it needs; the old version goes on
     */
    UpdateReport run(final Next version, final Entry entry, final List<String> notes)
        throws IOException, DeploymentException
    {
        final ManagedApplication next = version.application();
        final String name = entry.deployment().name();
        final ManagedApplication before = deployed.managed(entry);
        final Optional<Map<String, List<Rule>>> rules = before == null || next == null ||
            !BundleDifference.isOnlyConfiguration(entry.deployment().jar(), store.nextJar(name)) ? Optional.empty() :
            next.handover().onlyRulesFor(before);
        store.exchange(name);
        final Map<String, RuleChange> changes =
            rules.isEmpty() ? Map.of() : exchangeRules(name, before, rules.get());
        final UpdateReport report;
        if (changes.isEmpty())
        {
            report = takeOver(entry, version, notes);
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

    private Deployment here(final Entry entry, final Next version)
    {
        final String name = entry.deployment().name();
        return new Deployment(name, store.jar(name), entry.deployment().suspended(), version.startNs());
    }

    /** All processors get their rules, or none; nothing when a rule cannot be exchanged while events flow. */
    private static Map<String, RuleChange> exchangeRules(
        final String name, final ManagedApplication application, final Map<String, List<Rule>> rules)
    {
        final Map<String, RuleChange> changes = new LinkedHashMap<>();
        final Map<String, List<Rule>> were = new LinkedHashMap<>();
        try
        {
            for (final Map.Entry<String, List<Rule>> each : rules.entrySet())
            {
                final List<Rule> was = application.rules(each.getKey());
                changes.put(each.getKey(), application.changeRules(each.getKey(), each.getValue()));
                were.put(each.getKey(), was);
            }
            return changes;
        }
        catch (final DeploymentException e)
        {
            LOG.info("rules cannot be exchanged while events flow, the network is made anew, name={}\n{}", name,
                e.getMessage());
            were.forEach((processor, was) -> putBack(name, application, processor, was));
            return Map.of();
        }
    }

    private static void putBack(
        final String name, final ManagedApplication application, final String processor, final List<Rule> was)
    {
        try
        {
            application.changeRules(processor, was);
        }
        catch (final DeploymentException e)
        {
            LOG.error("rules cannot be put back, application={} processor={}", name, processor, e);
        }
    }

    private UpdateReport takeOver(final Entry entry, final Next version, final List<String> notes)
        throws DeploymentException
    {
        final ManagedApplication next = version.application();
        final ManagedApplication before = deployed.managed(entry);
        final List<String> all = new ArrayList<>(notes);
        final Map<String, List<Rule>> rules = next == null ? Map.of() : next.handover().preparedRules();
        if (before != null)
        {
            before.sources().forEach(
                source -> all.add("adapter " + source + " was made anew: its connections were cut"));
        }
        final long startNs = System.nanoTime();
        final Map<String, Map<String, String>> held = stepAside(entry, before);
        if (next != null)
        {
            try
            {
                next.handover().activate(before);
            }
            catch (final DeploymentException e)
            {
                exchangeBack(entry);
                // It gives back the ports that it has opened, for the old version may want them again.
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
        return UpdateReport.ofNewNetwork(held, rules, all, pausedNs);
    }

    private static Map<String, Map<String, String>> stepAside(final Entry entry, final ManagedApplication before)
    {
        try
        {
            return before == null ? Map.of() : before.handover().stepAside();
        }
        catch (final DeploymentException e)
        {
            // A version that hangs is replaced all the same.
            LOG.warn("application does not pause for its next version, name={}\n{}", entry.deployment().name(),
                e.getMessage());
            return Map.of();
        }
    }

    private static void goOn(final Entry entry, final ManagedApplication before)
    {
        try
        {
            if (before != null)
            {
                before.handover().goOn();
            }
        }
        catch (final DeploymentException e)
        {
            LOG.error("update refused, and a stage of the old version does not go on, name={}\n{}",
                entry.deployment().name(), e.getMessage());
        }
    }

    /** The old version ends and the next one runs: from here on its state is gone. */
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
                next.handover().takeOver();
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
            LOG.error("update refused after the old version had ended: it was started again and has lost its state, "
                + "name={} version={}", entry.deployment().name(), entry.version());
        }
        catch (final DeploymentException e)
        {
            LOG.error("update refused, and the old version does not start, name={}", entry.deployment().name(), e);
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
            LOG.error("files of the version that runs cannot be put back, name={}", name, e);
            deployed.put(new Entry(entry.deployment(), entry.bundle(), List.of(new Problem("SRV-0211",
                new SourcePosition(entry.deployment().jar().toString(), 0, 0),
                "the bundle cannot be put back, reason=" + e, "install it again", ""))));
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
            LOG.error("bundle of a version that is not needed cannot be removed, name={}", bundle.getSymbolicName(), e);
        }
    }
}
