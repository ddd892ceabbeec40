package dev.millrace.server.extender.bundle;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.osgi.framework.Bundle;
import org.osgi.framework.Version;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.BundleWiring;

/**
 * The Java classes that the rules of an application can use, under the policy in its manifest. Users who may change
 * rules can run Java code with the permissions of the server: rules can use {@code java.lang.System} like any other
 * class.
 *
 * <pre>
 *   OCEP_JAVA_CARTRIDGE_CLASS_SPACE or Millrace-Java-Class-Space
 *     application           classes in and imported by the bundle; java.lang and the unnamed package by simple name
 *     no-auto-import        the same, but every class by its qualified name
 *     server                packages exported by bundles, in their highest version, and the Java library
 *     none                  no class: rules can only call functions
 * </pre>
 *
 * <p>Thread-safe. A class is loaded but not initialized; it is initialized when a rule first calls it.
 */
public final class ClassSpace implements Function<String, Class<?>>
{
    /** Header of Oracle's manifests. */
    static final String HEADER = "OCEP_JAVA_CARTRIDGE_CLASS_SPACE";
    /** Header of Millrace's manifests. */
    static final String OWN_HEADER = "Millrace-Java-Class-Space";

    private static final String JAVA_LANG = "java.lang.";

    /** Policies, by the names in manifests. */
    private static final Map<String, Policy> POLICIES = Map.of("application", Policy.APPLICATION,
        "no-auto-import", Policy.NO_AUTO_IMPORT, "application-no-auto-import", Policy.NO_AUTO_IMPORT,
        "server", Policy.SERVER, "none", Policy.NONE);

    /** The set of visible classes. */
    enum Policy
    {
        APPLICATION, NO_AUTO_IMPORT, SERVER, NONE
    }

    private final Bundle bundle;
    private final String written;
    private final Policy policy;

    public ClassSpace(final Bundle bundle)
    {
        this.bundle = bundle;
        final String own = bundle.getHeaders("").get(OWN_HEADER);
        written = own == null ? bundle.getHeaders("").get(HEADER) : own;
        policy = written == null ? Policy.APPLICATION : POLICIES.get(written.strip().toLowerCase(Locale.ROOT)
            .replace('_', '-').replace("-class-space", ""));
    }

    /** Rejects an unknown policy. */
    public void check() throws DeploymentException
    {
        if (policy == null)
        {
            throw new DeploymentException("SRV-0320", SourcePosition.NONE, "the manifest names a class space that " +
                "does not exist, bundle=" + bundle.getSymbolicName() + " class-space=" + written,
                "use application, no-auto-import, server or none");
        }
    }

    @Override
    public Class<?> apply(final String name)
    {
        final boolean isSimple = name.indexOf('.') < 0;
        if (policy == null || policy == Policy.NONE || policy == Policy.NO_AUTO_IMPORT && isSimple)
        {
            return null;
        }
        final Class<?> ofLanguage = isSimple ? load(JAVA_LANG + name) : null;
        if (ofLanguage != null)
        {
            return ofLanguage;
        }
        return policy != Policy.SERVER || name.startsWith("java.") ? load(name) : exported(name);
    }

    private Class<?> load(final String name)
    {
        try
        {
            return bundle.loadClass(name);
        }
        // A class whose own imports are missing is treated as missing.
        catch (final ClassNotFoundException | LinkageError | IllegalStateException none)
        {
            return null;
        }
    }

    private Class<?> exported(final String name)
    {
        final String packageName = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        final List<BundleCapability> exports = new ArrayList<>();
        for (final Bundle each : bundle.getBundleContext().getBundles())
        {
            final BundleWiring wiring = each.adapt(BundleWiring.class);
            if (wiring != null && (wiring.getRevision().getTypes() & BundleRevision.TYPE_FRAGMENT) == 0)
            {
                wiring.getCapabilities(PackageNamespace.PACKAGE_NAMESPACE).stream().filter(export ->
                    packageName.equals(export.getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE)))
                    .forEach(exports::add);
            }
        }
        exports.sort(Comparator.comparing(ClassSpace::version).reversed());
        for (final BundleCapability export : exports)
        {
            final Class<?> found = load(export, name);
            if (found != null)
            {
                return found;
            }
        }
        return null;
    }

    private static Version version(final BundleCapability export)
    {
        return export.getAttributes().get(PackageNamespace.CAPABILITY_VERSION_ATTRIBUTE) instanceof Version version ?
            version : Version.emptyVersion;
    }

    private static Class<?> load(final BundleCapability export, final String name)
    {
        try
        {
            return export.getRevision().getBundle().loadClass(name);
        }
        catch (final ClassNotFoundException | LinkageError | IllegalStateException none)
        {
            return null;
        }
    }
}
