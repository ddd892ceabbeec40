package dev.millrace.server.deployment;

import java.util.Collection;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.hooks.bundle.CollisionHook;
import org.osgi.framework.hooks.resolver.ResolverHook;
import org.osgi.framework.hooks.resolver.ResolverHookFactory;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;

/**
 * Allows two versions of an application in the framework during an update, even when both have the same version or are
 * singletons. Neither is wired to the other, so that each has its own classes. Thread-safe.
 */
final class ParallelVersions implements CollisionHook, ResolverHookFactory
{
    /** Prefix of the locations of application bundles. */
    static final String LOCATION = "application:";

    private ParallelVersions()
    {
    }

    /** Registers the hooks until the bundle of the context stops. */
    static void allow(final BundleContext context)
    {
        final ParallelVersions hooks = new ParallelVersions();
        context.registerService(CollisionHook.class, hooks, null);
        context.registerService(ResolverHookFactory.class, hooks, null);
    }

    private static boolean isApplication(final Bundle bundle)
    {
        return bundle.getLocation().startsWith(LOCATION);
    }

    @Override
    public void filterCollisions(final int operation, final Bundle target, final Collection<Bundle> candidates)
    {
        candidates.removeIf(ParallelVersions::isApplication);
    }

    @Override
    public ResolverHook begin(final Collection<BundleRevision> triggers)
    {
        return new Apart();
    }

    /** Prevents wires between versions of one application. */
    private static final class Apart implements ResolverHook
    {
        private static boolean isOtherVersion(final BundleRevision one, final BundleRevision other)
        {
            return one.getBundle() != other.getBundle() && isApplication(one.getBundle()) &&
                isApplication(other.getBundle()) && one.getSymbolicName().equals(other.getSymbolicName());
        }

        @Override
        public void filterMatches(final BundleRequirement requirement, final Collection<BundleCapability> candidates)
        {
            candidates.removeIf(each -> isOtherVersion(requirement.getRevision(), each.getRevision()));
        }

        @Override
        public void filterSingletonCollisions(
            final BundleCapability singleton, final Collection<BundleCapability> candidates)
        {
            candidates.removeIf(each -> isOtherVersion(singleton.getRevision(), each.getRevision()));
        }

        @Override
        public void filterResolvable(final Collection<BundleRevision> candidates)
        {
            // All may be wired.
        }

        @Override
        public void end()
        {
            // Holds no resources.
        }
    }
}
