package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.RuleApp;
import dev.millrace.server.fixture.TestInstance;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules changed at run time are valid until the application's next version. */
@Tag("slow")
@Timeout(120)
class RuleUpdaterTest
{
    private static final String ODD = "select number from numbers where name = \"odd\"";

    @TempDir
    private Path directory;

    private TestInstance instance;

    private RuleApp app;

    private Path file;

    @BeforeEach
    void start() throws Exception
    {
        instance = TestInstance.startWithRules(TestInstance.newDomain(directory));
        app = new RuleApp(instance);
        final TestInstance.Answer answer = instance.deploy(RuleApp.bundle());
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        file = directory.resolve("applications/" + RuleApp.NAME + "/live-rules/rules.xml");
    }

    @AfterEach
    void stop() throws Exception
    {
        instance.close();
    }

    private void restart() throws Exception
    {
        instance.close();
        instance = TestInstance.startWithRules(directory);
        app = new RuleApp(instance);
    }

    private static void done(final TestInstance.Answer answer)
    {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    @Test
    void shouldRunChangedRulesAgainWhenTheServerIsRestarted() throws Exception
    {
        assertThat(file).doesNotExist();
        done(app.put("other", ODD.replace("where", "where name != \"<]]>&\" and number > :1 and"), "active", "false"));
        done(app.call("PUT", "/rules/other/bindings", "{\"low\": \"3\"}"));
        done(app.call("POST", "/rules/other/start", ""));
        done(app.call("POST", "/rules/counted/stop", ""));
        final String before = app.call("GET", "/rules", "").text();

        restart();

        assertThat(instance.state(RuleApp.NAME)).isEqualTo("RUNNING");
        assertThat(app.call("GET", "/rules", "").text()).isEqualTo(before);
        app.awaitMore("every");
        app.awaitMore("other");
        assertThat(app.figure("other", "last") % 2).isEqualTo(1);
        assertThat(app.figure("counted", "events")).isZero();
    }

    @Test
    void shouldKeepRemovedRulesAway() throws Exception
    {
        done(app.call("DELETE", "/rules/other", ""));
        done(app.call("DELETE", "/rules/counted", ""));

        restart();

        assertThat(app.ids()).isEqualTo("every");
        app.awaitMore("every");
    }

    @Test
    void shouldNotRememberAChangeThatWasRefused() throws Exception
    {
        assertThat(app.put("other", "select nothing from numbers").status()).isEqualTo(422);

        assertThat(file).doesNotExist();
        done(app.put("other", ODD));
        final String kept = Files.readString(file);
        assertThat(app.put("other", "select nothing from numbers").status()).isEqualTo(422);
        assertThat(file).hasContent(kept);
        assertThat(file.getParent()).isDirectoryNotContaining("glob:**.next");
    }

    @Test
    void shouldChangeNothingWhenTheRulesCannotBeWritten() throws Exception
    {
        Files.writeString(directory.resolve("applications/" + RuleApp.NAME + "/live-rules"), "in the way");

        final TestInstance.Answer answer = app.put("other", ODD);

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("SRV-0506", "nothing was changed");
        assertThat(app.ids()).isEqualTo("every counted (other)");
    }

    @Test
    void shouldCountTheRulesOfTheBundleAgainWhenItIsUpdated() throws Exception
    {
        done(app.put("other", ODD));
        done(app.call("DELETE", "/rules/counted", ""));

        done(instance.request("PUT", "/wlevs/apps/" + RuleApp.NAME, RuleApp.bundle().version("1.1.0").bytes()));

        assertThat(file).doesNotExist();
        assertThat(app.ids()).isEqualTo("every counted (other)");
        app.awaitMore("counted");
        restart();
        assertThat(app.ids()).isEqualTo("every counted (other)");
    }

    @Test
    void shouldKeepChangedRulesWhenAnUpdateFails() throws Exception
    {
        done(app.put("other", ODD));

        final TestInstance.Answer answer = instance.request("PUT", "/wlevs/apps/" + RuleApp.NAME,
            RuleApp.bundle(RuleApp.query("every", "select nothing from numbers") +
                RuleApp.query("counted", RuleApp.COUNTED)).version("1.1.0").bytes());

        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.text()).contains("CQL-2002", "META-INF/wlevs/rules.xml:");
        assertThat(file).exists();
        assertThat(app.ids()).isEqualTo("every counted other");
        app.awaitMore("other");
    }

    @Test
    void shouldStartTheServerAndTellTheLineWhenChangedRulesAreBroken() throws Exception
    {
        instance.deploy(Apps.ticking("tick.app"));
        done(app.put("other", ODD));
        Files.writeString(file, Files.readString(file).replace("<query id=\"other\"", "<qerry id=\"other\""));

        restart();

        assertThat(instance.state("tick.app")).isEqualTo("RUNNING");
        assertThat(instance.state(RuleApp.NAME)).isEqualTo("FAILED");
        assertThat(instance.request("GET", "/wlevs/apps/" + RuleApp.NAME, new byte[0]).text())
            .contains("live-rules/rules.xml:", "qerry", "hint");
        Files.delete(file);
        restart();
        assertThat(app.ids()).isEqualTo("every counted (other)");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "half a f");
        restart();
        assertThat(instance.state("tick.app")).isEqualTo("RUNNING");
        assertThat(instance.request("GET", "/wlevs/apps/" + RuleApp.NAME, new byte[0]).text())
            .contains("FAILED", "live-rules/rules.xml:1:");
        done(instance.request("PUT", "/wlevs/apps/" + RuleApp.NAME, RuleApp.bundle().bytes()));
        app.awaitMore("every");
    }

    @Test
    void shouldPassOverWhatACrashLeftHalfWritten() throws Exception
    {
        done(app.put("other", ODD));
        Files.writeString(file.resolveSibling("rules.xml.next"), "half a f");

        restart();

        assertThat(app.ids()).isEqualTo("every counted other");
        done(app.call("POST", "/rules/other/stop", ""));
        assertThat(file.resolveSibling("rules.xml.next")).doesNotExist();
    }

    @Test
    void shouldForgetChangedRulesWhenTheApplicationIsUninstalled() throws Exception
    {
        done(app.put("other", ODD));
        done(instance.request("DELETE", "/wlevs/apps/" + RuleApp.NAME, new byte[0]));

        assertThat(directory.resolve("applications/" + RuleApp.NAME)).doesNotExist();
        assertThat(app.put("other", ODD).status()).isEqualTo(404);
        assertThat(instance.deploy(RuleApp.bundle()).status()).isEqualTo(201);
        assertThat(app.ids()).isEqualTo("every counted (other)");
    }

    @Test
    void shouldChangeRulesOfASuspendedApplication() throws Exception
    {
        done(instance.request("POST", "/wlevs/apps/" + RuleApp.NAME + "/suspend", new byte[0]));
        done(app.put("other", ODD));
        done(instance.request("POST", "/wlevs/apps/" + RuleApp.NAME + "/resume", new byte[0]));

        app.awaitMore("other");
        assertThat(app.figure("every", "gaps")).isZero();
        assertThat(app.figure("counted", "gaps")).isZero();
    }
}
