package dev.millrace.server.deployment;

import dev.millrace.assembly.RuleFiles;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.server.extender.ManagedApplication;
import dev.millrace.server.extender.SpringExtender;
import dev.millrace.server.rules.RuleEdit;
import dev.millrace.server.spi.ApplicationSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the rules of running applications and stores them so that they survive a restart: the file is written first
 * and committed when the network has accepted the rules, before they run. A durable processor stores its state with the
 * rules after that; if the process is killed in between, it replaces them when it starts. The deployer serializes
 * changes.
 */
final class RuleUpdater
{
    private static final Logger LOG = LoggerFactory.getLogger(RuleUpdater.class);

    private final ApplicationStore store;

    private final Supplier<SpringExtender> extender;

    RuleUpdater(final ApplicationStore store, final Supplier<SpringExtender> extender)
    {
        this.store = store;
        this.extender = extender;
    }

    /** Returns the current rules of a processor, with parameters bound. */
    List<Rule> of(final String name, final String processor) throws DeploymentException
    {
        return running(name).network().rules(processor);
    }

    /** Includes the applications of the platform. */
    ManagedApplication running(final String name) throws DeploymentException
    {
        for (final ManagedApplication application : extender.get().applications())
        {
            if (application.bundle().getSymbolicName().equals(name))
            {
                return application;
            }
        }
        throw DeploymentRegistry.refuse("SRV-0208", name, "the application has no running network", "check its status");
    }

    /**
     * Replaces the rules of a processor.
     *
     * @param remembered whether to store the change, which requires that the application is deployed in the domain
     */
    RuleChange change(final String name, final String processor, final RuleEdit edit, final boolean remembered)
        throws DeploymentException
    {
        final ManagedApplication application = running(name);
        final List<Rule> rules = edit.apply(application.network().rules(processor));
        return remembered ?
            changeAndRemember(application, processor, rules, RuleFiles.write(processor, rules)) :
            withNote(application.network().rules().change(processor, rules),
                "the application is part of the platform: the change lasts until the server stops");
    }

    /**
     * Replaces the rules of several processors, all or none.
     *
     * @param jar    bundle of the application, whose rules apply where none were changed
     * @param before current settings
     * @param after  settings with the new rules
     */
    void change(final String name, final Path jar, final ApplicationSettings before, final ApplicationSettings after)
        throws IOException, DeploymentException
    {
        final ManagedApplication application = running(name);
        final Set<String> processors = new TreeSet<>(before.rules().keySet());
        processors.addAll(after.rules().keySet());
        processors.removeIf(each -> Objects.equals(before.rules().get(each), after.rules().get(each)));
        final Map<String, List<Rule>> wanted = new TreeMap<>();
        for (final String processor : processors)
        {
            wanted.put(processor, SettingsEdits.rules(jar, after, processor));
        }
        final Map<String, List<Rule>> done = new TreeMap<>();
        try
        {
            for (final String processor : processors)
            {
                final List<Rule> was = application.network().rules(processor);
                changeAndRemember(application, processor, wanted.get(processor), after.rules().get(processor));
                done.put(processor, was);
            }
        }
        catch (final DeploymentException e)
        {
            done.forEach((processor, was) -> goBack(application, processor, was, before.rules().get(processor)));
            throw e;
        }
    }

    private void goBack(final ManagedApplication application, final String processor, final List<Rule> was,
        final String text)
    {
        try
        {
            changeAndRemember(application, processor, was, text);
        }
        catch (final DeploymentException e)
        {
            LOG.error("rules cannot be restored, application={} processor={}", application.bundle().getSymbolicName(),
                processor, e);
        }
    }

    /**
     * Changes the rules and stores their source text; {@code null} deletes the stored text, so that the bundle's rules
     * apply again.
     */
    private RuleChange changeAndRemember(final ManagedApplication application, final String processor,
        final List<Rule> rules, final String text) throws DeploymentException
    {
        final String name = application.bundle().getSymbolicName();
        final Path next;
        try
        {
            next = text == null ? null : store.prepareRules(name, processor, text);
        }
        catch (final IOException e)
        {
            throw new DeploymentException(List.of(new Problem("SRV-0506", new SourcePosition(name, 0, 0),
                "the rules cannot be written, processor=" + processor + " reason=" + e,
                "nothing was changed; check the " +
                "free space and permissions below applications/" + name, "")), e);
        }
        final FileChange file = new FileChange(store, name, processor, next);
        boolean isChanged = false;
        try
        {
            final RuleChange change = application.network().rules().change(processor, rules, file::commit);
            isChanged = true;
            LOG.info("rules changed, application={} processor={}", name, processor);
            return file.isStored() ? change :
                withNote(change, "the rules could not be written: the change lasts until the server stops");
        }
        finally
        {
            if (!isChanged)
            {
                file.undo();
            }
        }
    }

    private static RuleChange withNote(final RuleChange change, final String note)
    {
        final List<String> notes = new ArrayList<>(change.notes());
        notes.add(note);
        return new RuleChange(change.queries(), notes, change.pausedNs());
    }

    /**
     * Replaces the stored rules of a processor with prepared ones, or deletes them, so that those of the bundle apply.
     * Single use, not thread-safe.
     */
    private static final class FileChange
    {
        private final ApplicationStore store;

        private final String name;

        private final String processor;

        private final Path next;

        private String before;

        private boolean isCommitted;

        private boolean isStored;

        /**
         * @param next the prepared file; {@code null} to delete the stored one
         */
        FileChange(final ApplicationStore store, final String name, final String processor, final Path next)
        {
            this.store = store;
            this.name = name;
            this.processor = processor;
            this.next = next;
        }

        /** Replaces the file; a failure is logged, and {@link #isStored()} is false then. */
        void commit()
        {
            isCommitted = true;
            try
            {
                before = ApplicationStore.settings(store.jar(name)).rules().get(processor);
                if (next == null)
                {
                    store.removeRules(name, processor);
                }
                else
                {
                    store.commitRules(next);
                }
                isStored = true;
            }
            catch (final IOException e)
            {
                LOG.error("changed rules cannot be stored, application={} processor={}", name, processor, e);
            }
        }

        boolean isStored()
        {
            return isStored;
        }

        /** The earlier rules continue. */
        void undo()
        {
            if (!isCommitted)
            {
                if (next != null)
                {
                    store.dropRules(next);
                }
                return;
            }
            try
            {
                if (isStored && before == null)
                {
                    store.removeRules(name, processor);
                }
                else if (isStored)
                {
                    store.commitRules(store.prepareRules(name, processor, before));
                }
            }
            catch (final IOException e)
            {
                LOG.error("the earlier rules run, but those of the next start cannot be restored, application={} " +
                    "processor={}", name, processor, e);
            }
        }
    }
}
