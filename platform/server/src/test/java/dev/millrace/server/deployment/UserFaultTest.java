package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.millrace.network.definition.UserFault;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.TestInstance;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.example.trouble.Faulty;
import org.example.trouble.Needy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The messages for an installer when application code throws, in a real framework. */
@Tag("slow")
@Timeout(120)
class UserFaultTest
{
    @TempDir
    private Path directory;

    private TestInstance instance;

    @BeforeEach
    void start() throws Exception
    {
        instance = TestInstance.start(TestInstance.newDomain(directory), TestInstance.FELIX);
    }

    @AfterEach
    void stop() throws Exception
    {
        instance.close();
    }

    private static BundleJar faulty(final String bean)
    {
        return Apps.context("faulty.app", bean).classes(Faulty.class, Faulty.Constructor.class, Faulty.Init.class,
            Faulty.Static.class);
    }

    private static final String CACHE = """
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Limit">
              <wlevs:properties type="map"><wlevs:property name="symbol" type="char"/></wlevs:properties>
            </wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:caching-system id="system"/>
          <wlevs:cache id="limits" value-type="Limit" key-properties="symbol" caching-system="system">
            <wlevs:cache-%s ref="faulty"/>
          </wlevs:cache>
          <bean id="faulty" class="org.example.trouble.Faulty$%s"/>
        """;

    /** An application whose cache uses a failing class, with or without imports of its classes. */
    private static BundleJar cached(final String element, final String type, final boolean isImported)
    {
        final BundleJar bundle = Apps.context("faulty.app", CACHE.formatted(element, type))
            .classes(Faulty.class, Faulty.Values.class, Faulty.Loader.class, Faulty.Store.class, Faulty.Listener.class);
        return isImported ? bundle.header("Import-Package", "dev.millrace.api.cache;version=\"[1.0,2)\"") : bundle;
    }

    private void refuses(final BundleJar bundle, final String... expected) throws Exception
    {
        final ListAppender<ILoggingEvent> log = new ListAppender<>();
        final Logger root = (Logger)LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        log.start();
        root.addAppender(log);
        try
        {
            assertThat(instance.deploy(bundle).text()).contains("java.lang.IllegalStateException: made by a test",
                "at=org.example.trouble.Faulty.fail(Faulty.java:").contains(expected);
        }
        finally
        {
            root.detachAppender(log);
        }
        assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage).filter(line -> line.contains("SRV-0321")))
            .singleElement().satisfies(stack -> assertThat(stack).contains("name=faulty.app",
                "java.lang.IllegalStateException: made by a test", "\tat org.example.trouble.Faulty.fail(Faulty.java:")
                .satisfies(text -> assertThat(text.lines().filter(line -> line.startsWith("\tat ")))
                    .hasSizeLessThanOrEqualTo(UserFault.LOGGED_FRAMES)));
    }

    @Test
    void shouldNameClassMessageAndLineWhenALoaderThrows() throws Exception
    {
        refuses(cached("loader", "Loader", true), "cache=limits");
    }

    @Test
    void shouldNameClassMessageAndLineWhenAStoreThrows() throws Exception
    {
        refuses(cached("store", "Store", true), "cache=limits");
    }

    @Test
    void shouldNameClassMessageAndLineWhenAListenerCannotBeMade() throws Exception
    {
        refuses(cached("listener", "Listener", true), "EPN-1401", "bean=faulty");
    }

    @Test
    void shouldSayWhichPackageToImportForALoaderAStoreAndAListener() throws Exception
    {
        for (final String type : List.of("Loader", "Store", "Listener"))
        {
            assertThat(instance.deploy(cached(type.toLowerCase(Locale.ROOT), type, false)).text()).as(type)
                .contains("add dev.millrace.api.cache to Import-Package").doesNotContain("correct the name");
        }
    }

    @Test
    void shouldNameClassMessageAndLineWhenAConstructorThrows() throws Exception
    {
        final String answer = instance.deploy(
            faulty("<bean id='faulty' class='org.example.trouble.Faulty$Constructor'/>")).text();

        assertThat(answer).contains("EPN-1401", "bean=faulty",
            "reason=java.lang.IllegalStateException: made by a test at=org.example.trouble.Faulty.fail(Faulty.java:");
    }

    @Test
    void shouldNameClassMessageAndLineWhenAnInitMethodThrows() throws Exception
    {
        final String answer = instance.deploy(
            faulty("<bean id='faulty' class='org.example.trouble.Faulty$Init' init-method='begin'/>")).text();

        assertThat(answer).contains("EPN-1401", "bean=faulty",
            "reason=java.lang.IllegalStateException: made by a test at=org.example.trouble.Faulty.fail(Faulty.java:");
    }

    @Test
    void shouldNameClassMessageAndLineWhenAStaticInitializerThrows() throws Exception
    {
        final String answer = instance.deploy(
            faulty("<bean id='faulty' class='org.example.trouble.Faulty$Static'/>")).text();

        assertThat(answer).contains("java.lang.IllegalStateException: made by a test",
            "org.example.trouble.Faulty.fail(Faulty.java:");
    }

    @Test
    void shouldSayWhichPackageToImportWhenAClassOfABeanNeedsIt() throws Exception
    {
        final String answer = instance.deploy(Apps.context("needy.app",
            "<bean id='needy' class='org.example.trouble.Needy'/>").classes(Needy.class)).text();

        assertThat(answer).contains("reason=", "stage.StreamSink",
            "add dev.millrace.api.stage to Import-Package")
            .doesNotContain("correct the name");
    }

    @Test
    void shouldSayThatTheNameIsWrongWhenTheClassIsNowhere() throws Exception
    {
        final String answer = instance.deploy(Apps.context("wrong.app", "<bean id='x' class='no.such.Type'/>")).text();

        assertThat(answer).contains("EPN-1212", "no.such.Type", "correct the name");
    }
}
