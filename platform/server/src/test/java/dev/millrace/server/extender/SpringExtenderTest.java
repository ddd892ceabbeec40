package dev.millrace.server.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.server.extender.bundle.NamespaceRegistry;
import dev.millrace.server.extender.bundle.NamespaceResolver;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.TestInstance;
import dev.millrace.server.fixture.app.Greeter;
import dev.millrace.server.fixture.app.Guest;
import dev.millrace.server.fixture.app.Meeting;
import dev.millrace.server.fixture.app.Ticker;
import dev.millrace.server.fixture.app.TickerFactory;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

@Tag("slow")
@Timeout(120)
class SpringExtenderTest
{
    private static final String CONTEXT = "org.springframework.context.ApplicationContext";

    private static final String GUEST = """
        <osgi:reference id="host" interface="java.util.function.Supplier" filter="(role=host)" %s/>
        <bean id="guest" class="dev.millrace.server.fixture.app.Guest"><property name="host" ref="host"/></bean>
        <osgi:service ref="guest" interface="java.util.concurrent.Callable"/>
        """;

    @TempDir
    private static Path directory;

    private static TestInstance instance;

    private static BundleContext context;

    @BeforeAll
    static void start() throws Exception
    {
        instance = TestInstance.start(TestInstance.newDomain(directory), TestInstance.FELIX);
        context = instance.framework().getBundleContext();
    }

    @AfterAll
    static void stop() throws Exception
    {
        instance.close();
    }

    @AfterEach
    void removeApplications() throws Exception
    {
        for (final Bundle bundle : context.getBundles())
        {
            if (bundle.getLocation().startsWith("test:"))
            {
                bundle.uninstall();
            }
        }
    }

    private static ServiceRegistration<?> offer(final String word, final int ranking)
    {
        final Supplier<String> service = () -> word;
        final Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("role", "host");
        properties.put("service.ranking", ranking);
        return context.registerService(Supplier.class, service, properties);
    }

    private static ServiceReference<?> published(final String name)
    {
        try
        {
            final ServiceReference<?>[] found = context.getAllServiceReferences(
                CONTEXT, "(org.springframework.context.service.name=" + name + ')');
            return found == null ? null : found[0];
        }
        catch (final InvalidSyntaxException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitContext(final String name, final boolean there) throws InterruptedException
    {
        instance.await("context " + name + (there ? " is there" : " is gone"),
            () -> (published(name) != null) == there);
    }

    @SuppressWarnings("unchecked") // The service is registered under this raw type by the application.
    private static List<String> guest(final String application) throws Exception
    {
        for (final ServiceReference<?> reference
            : context.getAllServiceReferences("java.util.concurrent.Callable", null))
        {
            if (application.equals(reference.getBundle().getSymbolicName()))
            {
                return ((Callable<List<String>>)context.getService(reference)).call();
            }
        }
        throw new AssertionError("no guest of " + application);
    }

    private static BundleJar guestApp(final String name, final String attributes)
    {
        return Apps.context(name, GUEST.formatted(attributes)).classes(Guest.class);
    }

    @Test
    void shouldCreateCloseUpdateAndRemoveTheContextWithItsBundle() throws Exception
    {
        final Bundle bundle = instance.install("test:plain", Apps.context("plain.app", """
            <bean id="greeter" class="dev.millrace.server.fixture.app.Greeter"/>
            <osgi:service ref="greeter" interface="java.util.function.Supplier" ranking="7">
              <osgi:service-properties><entry key="tone" value="kind"/></osgi:service-properties>
            </osgi:service>
            """).classes(Greeter.class));
        awaitContext("plain.app", true);
        final ServiceReference<?> exported =
            context.getAllServiceReferences(Supplier.class.getName(), "(tone=kind)")[0];
        assertThat(exported.getProperty("service.ranking")).isEqualTo(7);
        assertThat(exported.getProperty("org.springframework.osgi.bean.name")).isEqualTo("greeter");
        assertThat(((Supplier<?>)context.getService(exported)).get()).isEqualTo("hello");
        assertThat(published("plain.app").getProperty("Bundle-SymbolicName")).isEqualTo("plain.app");

        bundle.stop();
        assertThat(published("plain.app")).as("closed before stop returns").isNull();
        assertThat(context.getAllServiceReferences(Supplier.class.getName(), "(tone=kind)")).isNull();

        bundle.start();
        awaitContext("plain.app", true);
        bundle.update(new ByteArrayInputStream(Apps.context("plain.app", """
            <bean id="greeter" class="dev.millrace.server.fixture.app.Greeter">
              <property name="word" value="moin"/>
            </bean>
            <osgi:service ref="greeter" auto-export="interfaces">
              <osgi:service-properties><entry key="tone" value="north"/></osgi:service-properties>
            </osgi:service>
            """).classes(Greeter.class).version("1.1.0").bytes()));
        awaitContext("plain.app", true);
        assertThat(((Supplier<?>)context.getService(
            context.getAllServiceReferences(Supplier.class.getName(), "(tone=north)")[0])).get()).isEqualTo("moin");

        bundle.uninstall();
        assertThat(published("plain.app")).isNull();
    }

    /** Returns a message from the published context of an application; {@code Spring} is in a separate class loader. */
    private static Object message(final String application, final String code, final String otherwise)
        throws ReflectiveOperationException
    {
        final Object published = context.getService(published(application));
        return published.getClass().getMethod("getMessage", String.class, Object[].class, String.class, Locale.class)
            .invoke(published, code, new Object[]{7}, otherwise, Locale.US);
    }

    @Test
    void shouldRenderDefaultMessagesInAContextWithoutAMessageSource() throws Exception
    {
        instance.install("test:quiet", Apps.context("quiet.app", ""));
        awaitContext("quiet.app", true);

        assertThat(message("quiet.app", "no.such.code", "{0} events")).isEqualTo("7 events");
        assertThat(message("quiet.app", "no.such.code", null)).isNull();
    }

    @Test
    void shouldAskTheMessageSourceOfTheApplication() throws Exception
    {
        instance.install("test:speaking", Apps.context("speaking.app", """
            <bean id="messageSource" class="org.springframework.context.support.StaticMessageSource">
              <property name="useCodeAsDefaultMessage" value="true"/>
            </bean>
            """));
        awaitContext("speaking.app", true);

        assertThat(message("speaking.app", "a.code", null)).isEqualTo("a.code");
    }

    @Test
    void shouldInjectTheServiceItselfAndRebuildWhenItGoesAndReturns() throws Exception
    {
        final Bundle bundle = instance.install("test:guest", guestApp("guest.app", ""));
        instance.await("application waits", () -> state(bundle).equals("WAITING"));
        assertThat(waitingFor(bundle)).contains("Supplier", "(role=host)");

        final ServiceRegistration<?> first = offer("first", 0);
        awaitContext("guest.app", true);
        assertThat(guest("guest.app").get(0)).startsWith("host first SpringExtenderTest$$Lambda");

        first.unregister();
        assertThat(published("guest.app")).as("closed before the service is gone").isNull();
        assertThat(state(bundle)).isEqualTo("WAITING");

        final ServiceRegistration<?> second = offer("second", 0);
        awaitContext("guest.app", true);
        assertThat(guest("guest.app").get(0)).startsWith("host second");

        final ServiceRegistration<?> third = offer("third", 0);
        second.unregister();
        awaitContext("guest.app", true);
        assertThat(guest("guest.app").get(0)).startsWith("host third");
        third.unregister();
    }

    @Test
    void shouldGoOnWithoutAnOptionalServiceAndTellListeners() throws Exception
    {
        instance.install("test:optional", Apps.context("optional.app", """
            <osgi:reference id="host" interface="java.util.function.Supplier" filter="(role=host)" cardinality="0..1">
              <osgi:listener ref="guest" bind-method="bind" unbind-method="unbind"/>
            </osgi:reference>
            <bean id="guest" class="dev.millrace.server.fixture.app.Guest"><property name="host" ref="host"/></bean>
            <osgi:service ref="guest" interface="java.util.concurrent.Callable"/>
            """).classes(Guest.class));
        awaitContext("optional.app", true);
        assertThat(guest("optional.app")).containsExactly("host none");

        final ServiceRegistration<?> first = offer("first", 0);
        instance.await("bound", () -> seen("optional.app").contains("bind first"));
        first.unregister();
        assertThat(guest("optional.app")).containsExactly("host none", "bind first", "unbind first");
        assertThat(published("optional.app")).isNotNull();
    }

    private static List<String> seen(final String application)
    {
        try
        {
            return guest(application);
        }
        catch (final Exception e)
        {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldDropAnOptionalServiceThatNobodyWouldBeToldAbout() throws Exception
    {
        final ServiceRegistration<?> first = offer("first", 0);
        instance.install("test:dropped", guestApp("dropped.app", "cardinality='0..1'"));
        awaitContext("dropped.app", true);
        assertThat(guest("dropped.app").get(0)).startsWith("host first");

        first.unregister();
        instance.await("rebuilt", () -> published("dropped.app") != null);
        assertThat(guest("dropped.app")).containsExactly("host none");
    }

    @Test
    void shouldKeepAListOfAllServicesBestFirst() throws Exception
    {
        final ServiceRegistration<?> low = offer("low", 1);
        final Bundle bundle = instance.install("test:list", Apps.context("list.app", """
            <bean id="guest" class="dev.millrace.server.fixture.app.Guest">
              <property name="hosts">
                <osgi:list interface="java.util.function.Supplier" filter="(role=host)" cardinality="1..N"/>
              </property>
            </bean>
            <osgi:service ref="guest" interface="java.util.concurrent.Callable"/>
            """).classes(Guest.class));
        awaitContext("list.app", true);
        final ServiceRegistration<?> high = offer("high", 9);
        instance.await("list grows", () -> seen("list.app").size() == 3);
        assertThat(guest("list.app")).containsExactly("host none", "one of high", "one of low");

        high.unregister();
        assertThat(guest("list.app")).containsExactly("host none", "one of low");
        low.unregister();
        assertThat(published("list.app")).isNull();
        assertThat(state(bundle)).isEqualTo("WAITING");
    }

    @Test
    void shouldGiveUpWhenAServiceDoesNotComeInTime() throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(guestApp("late.app", "timeout='200'"));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("SRV-0304", "Supplier", "timeout");
    }

    @Test
    void shouldReportTheElementWhenTheOsgiNamespaceIsMisused() throws Exception
    {
        for (final String wrong : List.of("<osgi:reference id='a'/>", "<osgi:reference id='a' interface='x' sort='y'/>",
            "<osgi:list id='a' interface='x' cardinality='1..1'/>", "<osgi:service interface='x'/>",
            "<osgi:service ref='a'/>", "<osgi:reference id='a' interface='x' timeout='soon'/>"))
        {
            final TestInstance.Answer answer = instance.deploy(Apps.context("wrong.app", wrong));
            assertThat(answer.status()).as(wrong).isEqualTo(422);
            assertThat(answer.text()).as(wrong).contains("META-INF/spring/app.xml:5:");
        }
        final TestInstance.Answer answer = instance.deploy(Apps.context("wrong.app",
            "<x:y xmlns:x='http://example.org/unknown'/>"));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("http://example.org/unknown");
    }

    @Test
    void shouldReadPlaceholdersFromTheDomainAndSystemPropertiesFirst() throws Exception
    {
        Files.writeString(directory.resolve("config/holder.app.properties"), "word=from the file\nuser.dir=never\n");
        instance.install("test:holder", Apps.context("holder.app", """
            <bean id="greeter" class="dev.millrace.server.fixture.app.Greeter">
              <property name="word" value="${word} in ${user.dir}"/>
            </bean>
            <osgi:service ref="greeter" interface="java.util.function.Supplier">
              <osgi:service-properties><entry key="of" value="holder"/></osgi:service-properties>
            </osgi:service>
            """).classes(Greeter.class));
        awaitContext("holder.app", true);
        assertThat(((Supplier<?>)context.getService(
            context.getAllServiceReferences(Supplier.class.getName(), "(of=holder)")[0])).get())
            .isEqualTo("from the file in " + System.getProperty("user.dir"));

        final TestInstance.Answer answer = instance.deploy(Apps.context("hole.app",
            "<bean class='dev.millrace.server.fixture.app.Greeter'><property name='word' value='${none.such}'/></bean>")
            .classes(Greeter.class));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("none.such");
    }

    @Test
    void shouldUseTheFilesOfTheHeaderWhenThereIsOne() throws Exception
    {
        instance.install("test:header", Apps.context("header.app", "<bean class='no.such.Type'/>")
            .file("config/other.xml", "<beans xmlns='http://www.springframework.org/schema/beans'/>")
            .header("Spring-Context", "config/other.xml;publish-context:=true"));
        awaitContext("header.app", true);

        assertThat(instance.deploy(BundleJar.named("lost.app").header("Spring-Context", "config/lost.xml")).text())
            .contains("SRV-0307", "config/lost.xml");
    }

    @Test
    void shouldRebuildDependentContextsWhenANamespaceBundleIsRestarted() throws Exception
    {
        final Bundle namespace = instance.install("test:namespace", BundleJar.named("namespace.bundle")
            .file("META-INF/spring.handlers", "http\\://example.org/greet=" + GreetHandler.class.getName())
            .header("Import-Package", "org.springframework.beans.factory.xml,"
                + "org.springframework.beans.factory.support,org.springframework.beans.factory.config,org.w3c.dom")
            .classes(GreetHandler.class, GreetHandler.GreetParser.class));
        final Bundle bundle = instance.install("test:greeting", Apps.context("greeting.app",
            "<g:greet xmlns:g='http://example.org/greet' id='greeter' type='dev.millrace.server.fixture.app.Greeter'/>")
            .classes(Greeter.class));
        awaitContext("greeting.app", true);

        namespace.stop();
        assertThat(published("greeting.app")).isNull();
        assertThat(waitingFor(bundle)).contains("namespace.bundle");

        namespace.start();
        awaitContext("greeting.app", true);
        instance.await("application runs", () -> state(bundle).equals("RUNNING"));
    }

    @Test
    void shouldWaitForAProviderThatWasStoppedAndGoOnWhenItReturns() throws Exception
    {
        final Bundle provider = instance.install("test:provider", BundleJar.named("ticker.provider")
            .classes(Ticker.class, TickerFactory.class).header("Bundle-Activator", TickerFactory.class.getName())
            .header("Import-Package", "dev.millrace.api.lifecycle,dev.millrace.api.stage,org.osgi.framework"));
        final Bundle bundle = instance.install("test:user", Apps.ticking("user.app",
            "<wlevs:adapter id='second' provider='ticktock'><wlevs:listener ref='ticks'/></wlevs:adapter>"));
        awaitContext("user.app", true);

        provider.stop();
        assertThat(state(bundle)).isEqualTo("WAITING");
        assertThat(waitingFor(bundle)).contains("AdapterFactory", "ticktock");

        provider.start();
        awaitContext("user.app", true);
        instance.await("application runs", () -> state(bundle).equals("RUNNING"));

        final TestInstance.Answer answer = instance.deploy(Apps.context("typo.app",
            "<wlevs:adapter id='in' provider='tocktick'/>"));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("tocktick", "ticktock", "META-INF/spring/app.xml:5:");
    }

    @Test
    void shouldStartSeveralApplicationsSideBySide() throws Exception
    {
        // Each waits in its constructor for the other, so a sequential start would never complete.
        for (final String name : List.of("left.app", "right.app"))
        {
            instance.install("test:" + name, Apps.context(name,
                "<bean class='dev.millrace.server.fixture.app.Meeting'/>").classes(Meeting.class));
        }
        awaitContext("left.app", true);
        awaitContext("right.app", true);
    }

    @Test
    void shouldRefuseASchemaThatNoBundleHasInsteadOfFetchingIt() throws Exception
    {
        assertThat(NamespaceRegistry.normal("https://www.springframework.org/schema/osgi/spring-osgi.xsd"))
            .isEqualTo("http://www.springframework.org/schema/osgi/spring-osgi.xsd");
        final NamespaceRegistry bundles = new NamespaceRegistry(context);
        assertThat(bundles.schema("https://www.springframework.org/schema/beans/spring-beans.xsd")).isNotNull();
        assertThat(bundles.schema("http://www.springframework.org/schema/osgi/spring-osgi-1.2.xsd")).isNotNull();
        final NamespaceResolver used = new NamespaceResolver(bundles);
        assertThatThrownBy(() -> used.resolveEntity(null, "http://example.org/a.xsd"))
            .hasMessageContaining("SRV-0305");
    }

    private static String state(final Bundle bundle)
    {
        return instance.state(bundle.getSymbolicName());
    }

    private static String waitingFor(final Bundle bundle) throws Exception
    {
        return instance.request("GET", "/wlevs/apps/" + bundle.getSymbolicName(), new byte[0]).body()
            .getAsJsonObject().getAsJsonArray("waitingFor").toString();
    }
}
