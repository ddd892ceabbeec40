package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.UserFault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
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
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.framework.wiring.FrameworkWiring;
import org.osgi.resource.Namespace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bundles of applications in the OSGi framework. Framework exceptions become problems with a code and a hint. */
final class ApplicationBundles
{
    static final int START_LEVEL = 80;

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationBundles.class);

    private static final long REFRESH_SECONDS = 10;

    private final BundleContext context;

    private final AtomicLong nextVersions = new AtomicLong();

    private final LeftoverThreads leftovers;

    /** Starts whose activators have not returned, by bundle. */
    private final Map<Bundle, CompletableFuture<Void>> starting = new ConcurrentHashMap<>();

    /** Bundles whose activator does not return. The framework cannot stop or remove them until it does. */
    private final Set<Bundle> stuck = ConcurrentHashMap.newKeySet();

    ApplicationBundles(final BundleContext context, final LeftoverThreads leftovers)
    {
        this.context = context;
        this.leftovers = leftovers;
        ParallelVersions.allow(context);
    }

    /** Whether the framework is stopping; then no bundle can be removed. */
    private boolean isStopping()
    {
        return context.getBundle(0).getState() == Bundle.STOPPING;
    }

    /** Returns a usable bundle of this name, or {@code null}. */
    Bundle find(final String symbolicName)
    {
        for (final Bundle bundle : context.getBundles())
        {
            if (symbolicName.equals(bundle.getSymbolicName()) && !stuck.contains(bundle))
            {
                return bundle;
            }
        }
        return null;
    }

    Bundle install(final String name, final Path jar) throws IOException, DeploymentException
    {
        return installAt(ParallelVersions.LOCATION + name, name, jar);
    }

    /** Installs another version next to the running one. */
    Bundle installNext(final String name, final Path jar) throws IOException, DeploymentException
    {
        return installAt(ParallelVersions.LOCATION + name + '#' + nextVersions.incrementAndGet(), name, jar);
    }

    private Bundle installAt(final String location, final String name, final Path jar)
        throws IOException, DeploymentException
    {
        try (InputStream in = Files.newInputStream(jar))
        {
            // A bundle that is stuck keeps its location.
            final Bundle bundle = context.installBundle(context.getBundle(location) == null
                ? location : location + '#' + nextVersions.incrementAndGet(), in);
            bundle.adapt(BundleStartLevel.class).setStartLevel(START_LEVEL);
            return bundle;
        }
        catch (final BundleException e)
        {
            throw refuse(name, "the framework rejects the bundle, reason=" + e.getMessage(),
                "correct the manifest", e);
        }
    }

    /** Stops a bundle, even when its activator fails. */
    void stop(final Bundle bundle)
    {
        try
        {
            bundle.stop(Bundle.STOP_TRANSIENT);
        }
        catch (final BundleException e)
        {
            LOG.warn("activator failed while its bundle stopped, name={}", bundle.getSymbolicName(), e);
        }
    }

    /**
     * Starts a bundle. An activator that never returns does not block the caller beyond the timeout.
     *
     * @param timeoutNs for its activator
     */
    void start(final Bundle bundle, final long timeoutNs) throws DeploymentException
    {
        final String name = bundle.getSymbolicName();
        final CompletableFuture<Void> result = new CompletableFuture<>();
        final Thread thread = new Thread(() -> start(bundle, result), "millrace-start-" + name);
        thread.setDaemon(true);
        starting.put(bundle, result);
        thread.start();
        try
        {
            result.get(timeoutNs, TimeUnit.NANOSECONDS);
        }
        catch (final ExecutionException e)
        {
            throw e.getCause() instanceof final DeploymentException refused && refused.getCause() == null
                ? refused : whyNotStarted(bundle, e.getCause());
        }
        catch (final TimeoutException e)
        {
            throw doesNotReturn(bundle, thread, timeoutNs, e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw refuse(name, "interrupted while the bundle started", "try again", e);
        }
        finally
        {
            starting.remove(bundle);
        }
    }

    private static void start(final Bundle bundle, final CompletableFuture<Void> result)
    {
        try
        {
            bundle.start(Bundle.START_TRANSIENT | Bundle.START_ACTIVATION_POLICY);
            result.complete(null);
        }
        // Anything an activator throws concerns only its application.
        catch (final Exception | Error e)
        {
            result.completeExceptionally(e);
        }
    }

    private DeploymentException doesNotReturn(
        final Bundle bundle, final Thread thread, final long timeoutNs, final Throwable cause)
    {
        final String at = LeftoverThreads.place(bundle, thread);
        stuck.add(bundle);
        thread.interrupt();
        leftovers.watch(bundle, thread, () ->
        {
            stuck.remove(bundle);
            removeLate(bundle);
        });
        return refuse(bundle.getSymbolicName(), "the bundle's activator does not return, limitSeconds="
            + TimeUnit.NANOSECONDS.toSeconds(timeoutNs) + " at=" + at,
            "start long work on a separate thread", cause);
    }

    private void removeLate(final Bundle bundle)
    {
        try
        {
            uninstall(bundle);
        }
        catch (final DeploymentException | IllegalStateException e)
        {
            LOG.warn("bundle of a rejected application cannot be removed, name={} reason={}", bundle.getSymbolicName(),
                e.toString());
        }
    }

    /** Fails a start whose activator has not returned; returns false when no such start is pending. */
    boolean refuseStart(final Bundle bundle, final Problem problem)
    {
        final CompletableFuture<Void> result = starting.get(bundle);
        return result != null && result.completeExceptionally(new DeploymentException(List.of(problem)));
    }

    private DeploymentException whyNotStarted(final Bundle bundle, final Throwable failure)
    {
        final List<Problem> missing = bundle.getState() == Bundle.INSTALLED ? unresolved(bundle) : List.of();
        if (!missing.isEmpty())
        {
            return new DeploymentException(missing, failure);
        }
        final BundleWiring wiring = bundle.adapt(BundleWiring.class);
        final UserFault fault = new UserFault(failure, wiring == null ? null : wiring.getClassLoader());
        LOG.warn("SRV-0219: bundle does not start, name={} {}", bundle.getSymbolicName(), fault.stack());
        return refuse(bundle.getSymbolicName(), "the bundle does not start, reason=" + fault.reason(),
            fault.hint("check its activator and its imports"), failure);
    }

    /** Returns one problem for each requirement of a bundle that no bundle satisfies. */
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
                    "no bundle provides what this one requires, " + name(requirement),
                    "install the bundle that provides it, or include it in this one", ""));
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

    /** Removes a bundle. A bundle whose activator hangs is removed when the activator returns. */
    void uninstall(final Bundle bundle) throws DeploymentException
    {
        if (stuck.contains(bundle) || isStopping())
        {
            return;
        }
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

    /** Releases the classes of an earlier version, also in bundles that were wired to it. */
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
