package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.TestInstance;
import java.nio.file.Path;
import org.example.trouble.Faulty;
import org.example.trouble.Needy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an installer reads when code of the application throws, in a real framework. */
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
