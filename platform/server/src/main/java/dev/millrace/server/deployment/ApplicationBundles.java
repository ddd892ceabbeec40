package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.FrameworkWiring;
import org.osgi.resource.Namespace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bundles of applications in the framework, with messages instead of the framework's exceptions. */
final class ApplicationBundles
{
    static final int START_LEVEL = 80;

    private static final long START_SECONDS = 20;

    private static final long REFRESH_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationBundles.class);

    private final BundleContext context;

    private final AtomicLong nextVersions = new AtomicLong();

    ApplicationBundles(final BundleContext context)
    {
        this.context = context;
        SideBySide.allow(context);
    }

    /** Any bundle of a name, or {@code null}. */
    Bundle find(final String symbolicName)
    {
        for (final Bundle bundle : context.getBundles())
        {
            if (symbolicName.equals(bundle.getSymbolicName()))
            {
                return bundle;
            }
        }
        return null;
    }

    Bundle install(final String name, final Path jar) throws IOException, DeploymentException
    {
        return installAt(SideBySide.LOCATION + name, name, jar);
    }

    /** Installs another version beside the one that runs. */
    Bundle installNext(final String name, final Path jar) throws IOException, DeploymentException
    {
        return installAt(SideBySide.LOCATION + name + '#' + nextVersions.incrementAndGet(), name, jar);
    }

    private Bundle installAt(final String location, final String name, final Path jar)
        throws IOException, DeploymentException
    {
        try (InputStream in = Files.newInputStream(jar))
        {
            final Bundle bundle = context.installBundle(location, in);
            bundle.adapt(BundleStartLevel.class).setStartLevel(START_LEVEL);
            return bundle;
        }
        catch (final BundleException e)
        {
            throw refuse(name, "the framework does not take the bundle, reason=" + e.getMessage(),
                "correct the manifest", e);
        }
    }

    /** Stops a bundle; it is stopped also when its activator fails at that. */
    void stop(final Bundle bundle)
    {
        try
        {
            bundle.stop(Bundle.STOP_TRANSIENT);
        }
        catch (final BundleException e)
        {
            LOG.warn("activator fails while its bundle stops, name={}", bundle.getSymbolicName(), e);
        }
    }

    /** Starts a bundle; an activator that never returns does not keep the caller. */
    void start(final Bundle bundle) throws DeploymentException
    {
        final String name = bundle.getSymbolicName();
        final FutureTask<Void> task = new FutureTask<>(() ->
        {
            bundle.start(Bundle.START_TRANSIENT | Bundle.START_ACTIVATION_POLICY);
            return null;
        });
        final Thread thread = new Thread(task, "millrace-start-" + name);
        thread.setDaemon(true);
        thread.start();
        try
        {
            task.get(START_SECONDS, TimeUnit.SECONDS);
        }
        catch (final ExecutionException e)
        {
            throw whyNotStarted(bundle, e.getCause());
        }
        catch (final TimeoutException e)
        {
            thread.interrupt();
            throw refuse(name, "the bundle's activator does not return, limitSeconds=" + START_SECONDS,
                "start long work on a thread of your own", e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw refuse(name, "interrupted while the bundle started", "try again", e);
        }
    }

    private DeploymentException whyNotStarted(final Bundle bundle, final Throwable failure)
    {
        final List<Problem> missing = bundle.getState() == Bundle.INSTALLED ? unresolved(bundle) : List.of();
        if (!missing.isEmpty())
        {
            return new DeploymentException(missing, failure);
        }
        Throwable root = failure;
        while (root.getCause() != null)
        {
            root = root.getCause();
        }
        return refuse(bundle.getSymbolicName(), "the bundle does not start, reason=" + root,
            "look at its activator and its imports", failure);
    }

    /** Names what a bundle asks for and nobody has. */
    List<Problem> unresolved(final Bundle bundle)
    {
        final List<Problem> problems = new ArrayList<>();
        final BundleRevision revision = bundle.adapt(BundleRevision.class);
        for (final BundleRequirement requirement : revision.getDeclaredRequirements(null))
        {
            final boolean optional = Namespace.RESOLUTION_OPTIONAL.equals(
                requirement.getDirectives().get(Namespace.REQUIREMENT_RESOLUTION_DIRECTIVE))
                || "dynamic".equals(requirement.getDirectives().get(Namespace.REQUIREMENT_RESOLUTION_DIRECTIVE));
            if (!optional && !isOffered(requirement, revision))
            {
                problems.add(new Problem("SRV-0209",
                    new SourcePosition(bundle.getSymbolicName() + "!META-INF/MANIFEST.MF", 0, 0),
                    "no bundle offers what this one needs, " + name(requirement),
                    "install the bundle that has it, or pack it into this one", ""));
            }
        }
        return problems;
    }

    private boolean isOffered(final BundleRequirement requirement, final BundleRevision own)
    {
        for (final Bundle bundle : context.getBundles())
        {
            final BundleRevision revision = bundle.adapt(BundleRevision.class);
            if (revision != null && (revision == own || bundle.getState() != Bundle.INSTALLED))
            {
                for (final BundleCapability capability
                    : revision.getDeclaredCapabilities(requirement.getNamespace()))
                {
                    if (requirement.matches(capability))
                    {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static String name(final BundleRequirement requirement)
    {
        final String filter = requirement.getDirectives().get(Namespace.REQUIREMENT_FILTER_DIRECTIVE);
        return switch (requirement.getNamespace())
        {
            case BundleRevision.PACKAGE_NAMESPACE -> "Import-Package " + filter;
            case BundleRevision.BUNDLE_NAMESPACE -> "Require-Bundle " + filter;
            default -> requirement.getNamespace() + ' ' + filter;
        };
    }

    void uninstall(final Bundle bundle) throws DeploymentException
    {
        try
        {
            bundle.uninstall();
            refresh(bundle);
        }
        catch (final BundleException e)
        {
            throw refuse(bundle.getSymbolicName(), "the bundle cannot be removed, reason=" + e.getMessage(),
                "restart the instance", e);
        }
    }

    /** Lets go of the classes of an earlier version, also in bundles that were wired to it. */
    private void refresh(final Bundle bundle)
    {
        final CountDownLatch refreshed = new CountDownLatch(1);
        context.getBundle(0).adapt(FrameworkWiring.class).refreshBundles(List.of(bundle), event ->
        {
            if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED)
            {
                refreshed.countDown();
            }
        });
        try
        {
            refreshed.await(REFRESH_SECONDS, TimeUnit.SECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static DeploymentException refuse(
        final String name, final String text, final String hint, final Throwable cause)
    {
        // SRV-0210: the framework cannot install or start the bundle: follow the hint of the message
        return new DeploymentException(
            List.of(new Problem("SRV-0210", new SourcePosition(name, 0, 0), text, hint, "")), cause);
    }
}
