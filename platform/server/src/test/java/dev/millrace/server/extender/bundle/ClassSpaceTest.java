package dev.millrace.server.extender.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.app.Greeter;
import dev.millrace.server.fixture.app.Guest;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** The classes visible to rules under each policy, in a real framework. */
@Timeout(60)
class ClassSpaceTest
{
    private static final String PACKAGE = "dev.millrace.server.fixture.app";
    private static final String GREETER = PACKAGE + ".Greeter";
    private static final String GUEST = PACKAGE + ".Guest";

    @TempDir
    private static Path directory;
    private static Framework framework;
    private static int count;

    @BeforeAll
    static void start() throws BundleException
    {
        for (final FrameworkFactory factory : ServiceLoader.load(FrameworkFactory.class))
        {
            if (factory.getClass().getName().startsWith("org.apache.felix"))
            {
                framework = factory.newFramework(Map.of(Constants.FRAMEWORK_STORAGE, directory.toString(),
                    "felix.service.urlhandlers", "false"));
            }
        }
        framework.start();
        start(BundleJar.named("old").classes(Greeter.class).header("Export-Package", PACKAGE + ";version=1.0"));
        start(BundleJar.named("new").classes(Greeter.class, Guest.class)
            .header("Export-Package", PACKAGE + ";version=2.0"));
    }

    @AfterAll
    static void stop() throws Exception
    {
        framework.stop();
        framework.waitForStop(10_000);
    }

    private static Bundle start(final BundleJar jar) throws BundleException
    {
        final Bundle bundle = framework.getBundleContext()
            .installBundle("test:" + count++, new ByteArrayInputStream(jar.bytes()));
        bundle.start();
        return bundle;
    }

    private static ClassSpace space(final String header, final String policy) throws BundleException
    {
        final BundleJar jar = BundleJar.named("app" + count).classes(Greeter.class);
        return new ClassSpace(start(policy == null ? jar : jar.header(header, policy)));
    }

    private static Bundle owner(final Class<?> found)
    {
        return FrameworkUtil.getBundle(found);
    }

    @Test
    void shouldSeeTheApplicationAndTheLanguageByDefault() throws Exception
    {
        for (final String policy : new String[]{null, "application", "APPLICATION_CLASS_SPACE"})
        {
            final ClassSpace space = space(ClassSpace.HEADER, policy);
            space.check();
            assertThat(owner(space.apply(GREETER)).getSymbolicName()).startsWith("app");
            assertThat(space.apply("String")).isEqualTo(String.class);
            assertThat(space.apply("java.util.List")).isEqualTo(java.util.List.class);
            assertThat(space.apply(GUEST)).isNull();
            assertThat(space.apply("Nothing")).isNull();
        }
    }

    @Test
    void shouldSeeWhatTheApplicationImports() throws Exception
    {
        final ClassSpace space = new ClassSpace(start(BundleJar.named("app" + count)
            .header("Import-Package", PACKAGE + ";version=\"[2,3)\"")));
        assertThat(owner(space.apply(GUEST)).getSymbolicName()).isEqualTo("new");
    }

    @Test
    void shouldWantWholeNamesWithoutAutoImport() throws Exception
    {
        final ClassSpace space = space(ClassSpace.HEADER, "APPLICATION_NO_AUTO_IMPORT_CLASS_SPACE");
        space.check();
        assertThat(space.apply("String")).isNull();
        assertThat(space.apply("java.lang.String")).isEqualTo(String.class);
        assertThat(space.apply(GREETER)).isNotNull();
        assertThat(space(ClassSpace.OWN_HEADER, "no-auto-import").apply("Math")).isNull();
    }

    @Test
    void shouldSeeWhatBundlesExportInItsHighestVersion() throws Exception
    {
        final ClassSpace space = space(ClassSpace.HEADER, "SERVER_CLASS_SPACE");
        space.check();
        assertThat(owner(space.apply(GREETER)).getSymbolicName()).isEqualTo("new");
        assertThat(owner(space.apply(GUEST)).getSymbolicName()).isEqualTo("new");
        assertThat(space.apply("Math")).isEqualTo(Math.class);
        assertThat(space.apply("java.util.Map")).isEqualTo(Map.class);
        assertThat(space.apply(PACKAGE + ".Missing")).isNull();
        assertThat(space.apply("Unnamed")).isNull();
    }

    @Test
    void shouldSeeNothingWhenSwitchedOff() throws Exception
    {
        final ClassSpace space = space(ClassSpace.OWN_HEADER, "none");
        space.check();
        assertThat(space.apply("java.lang.String")).isNull();
        assertThat(space.apply("String")).isNull();
        assertThat(space.apply(GREETER)).isNull();
    }

    @Test
    void shouldLetItsOwnHeaderWinAndRefuseUnknownPolicies() throws Exception
    {
        final ClassSpace space = new ClassSpace(start(BundleJar.named("app" + count).classes(Greeter.class)
            .header(ClassSpace.HEADER, "server").header(ClassSpace.OWN_HEADER, "everything")));
        assertThat(space.apply("String")).isNull();
        assertThatThrownBy(space::check).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("SRV-0320").hasMessageContaining("everything");
    }
}
