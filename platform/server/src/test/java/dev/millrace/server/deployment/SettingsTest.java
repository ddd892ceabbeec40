package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.server.fixture.RuleApp;
import dev.millrace.server.fixture.TestInstance;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes of a deployed application without another bundle: configuration files, and rules as changed by groups. */
@Tag("slow")
@Timeout(120)
class SettingsTest
{
    private static final String CHANNEL = """
        <c:config xmlns:c="http://www.bea.com/ns/wlevs/config/application">
          <channel><name>numbers</name><max-size>%s</max-size><max-threads>1</max-threads></channel>
        </c:config>
        """;

    @TempDir
    private Path directory;

    private TestInstance instance;

    private RuleApp app;

    private Path folder;

    @BeforeEach
    void start() throws Exception
    {
        instance = TestInstance.startWithRules(TestInstance.newDomain(directory));
        app = new RuleApp(instance);
        final TestInstance.Answer answer = instance.deploy(RuleApp.bundle());
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        folder = directory.resolve("applications/" + RuleApp.NAME);
    }

    @AfterEach
    void stop() throws Exception
    {
        instance.close();
    }

    private TestInstance.Answer configure(final String method, final String file, final String content) throws Exception
    {
        return instance.request(method, "/wlevs/apps/" + RuleApp.NAME + "/configuration/" + file,
            content.getBytes(StandardCharsets.UTF_8));
    }

    private static String rules(final String queries)
    {
        return RuleApp.file(queries).replaceAll("(?s)<channel>.*</channel>", "");
    }

    /** Makes a change like the members of a group. */
    private void change(final Map<String, String> configuration, final Map<String, String> rules) throws Exception
    {
        final var context = instance.framework().getBundleContext();
        final Object deployments =
            context.getService(context.getAllServiceReferences("dev.millrace.server.spi.LocalDeployments", null)[0]);
        final Class<?> settings =
            deployments.getClass().getClassLoader().loadClass("dev.millrace.server.spi.ApplicationSettings");
        deployments.getClass().getMethod("change", String.class, settings).invoke(deployments, RuleApp.NAME,
            settings.getConstructor(Map.class, Map.class).newInstance(configuration, rules));
    }

    @Test
    void shouldRunWithAChangedConfigurationFileUntilItIsTakenAway() throws Exception
    {
        final TestInstance.Answer added = configure("PUT", "channels.xml", CHANNEL.formatted("64"));
        assertThat(added.status()).as(added.text()).isEqualTo(200);
        assertThat(added.text()).contains("\"state\":\"RUNNING\"");
        assertThat(folder.resolve("META-INF/wlevs/channels.xml")).hasContent(CHANNEL.formatted("64"));
        app.awaitMore("every");
        assertThat(app.call("DELETE", "/rules/counted", "").status()).isEqualTo(200);

        assertThat(configure("PUT", "channels.xml", CHANNEL.formatted("32")).status()).isEqualTo(200);
        assertThat(app.ids()).as("changed rules stay").isEqualTo("every (other)");
        instance.close();
        instance = TestInstance.startWithRules(directory);
        app = new RuleApp(instance);
        assertThat(folder.resolve("META-INF/wlevs/channels.xml")).hasContent(CHANNEL.formatted("32"));
        app.awaitMore("every");

        assertThat(configure("DELETE", "channels.xml", "").status()).isEqualTo(200);
        assertThat(folder.resolve("META-INF/wlevs/channels.xml")).doesNotExist();
        final TestInstance.Answer again = configure("DELETE", "channels.xml", "");
        assertThat(again.status()).isEqualTo(422);
        assertThat(again.text()).contains("SRV-0508");
    }

    @Test
    void shouldBeAsBeforeWhenTheApplicationDoesNotStartWithTheFile() throws Exception
    {
        assertThat(app.call("DELETE", "/rules/counted", "").status()).isEqualTo(200);
        final TestInstance.Answer wrong =
            configure("PUT", "channels.xml", CHANNEL.formatted("64").replace("numbers", "numbrs"));
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.text()).contains("META-INF/wlevs/channels.xml:2:", "numbrs");
        final TestInstance.Answer malformed = configure("PUT", "channels.xml", "<c:config");
        assertThat(malformed.status()).isEqualTo(422);
        assertThat(malformed.text()).contains("channels.xml:1:");
        final TestInstance.Answer otherEncoding = instance.request("PUT", "/wlevs/apps/" + RuleApp.NAME +
            "/configuration/a.xml", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><config>\u00e4</config>".getBytes(
                StandardCharsets.ISO_8859_1));
        assertThat(otherEncoding.status()).isEqualTo(422);
        assertThat(configure("PUT", "channels.txt", "a").status()).isEqualTo(404);

        assertThat(instance.state(RuleApp.NAME)).isEqualTo("RUNNING");
        assertThat(app.ids()).isEqualTo("every (other)");
        assertThat(folder.resolve("META-INF/wlevs/channels.xml")).doesNotExist();
        app.awaitMore("every");
    }

    @Test
    void shouldChangeRulesWhileEventsFlowAndHaveThoseOfTheBundleAgain() throws Exception
    {
        final long before = app.figure("every", "last");
        change(Map.of(), Map.of("rules", rules(RuleApp.query("every", RuleApp.EVERY))));
        assertThat(app.ids()).isEqualTo("every (other)");
        assertThat(folder.resolve("live-rules/rules.xml")).exists();
        assertThatThrownBy(() -> change(Map.of(), Map.of("rules", rules(RuleApp.query("every", "select x from y")))))
            .isInstanceOf(InvocationTargetException.class).cause().hasMessageContaining("y");
        assertThat(app.ids()).isEqualTo("every (other)");

        change(Map.of(), Map.of());
        assertThat(app.ids()).isEqualTo("every counted (other)");
        assertThat(folder.resolve("live-rules/rules.xml")).doesNotExist();
        app.awaitMore("every");
        assertThat(app.figure("every", "gaps")).as("the same network").isZero();
        assertThat(app.figure("every", "last")).isGreaterThan(before);

        change(Map.of("channels.xml", CHANNEL.formatted("64")),
            Map.of("rules", rules(RuleApp.query("every", RuleApp.EVERY))));
        assertThat(app.ids()).as("both at once").isEqualTo("every (other)");
        assertThat(Files.readString(folder.resolve("changed-configuration/channels.xml"))).contains("64");
        app.awaitMore("every");
    }
}
