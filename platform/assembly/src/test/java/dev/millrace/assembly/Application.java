package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.Network;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.StageDefinition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** An application built from text blocks, in a real Spring context. */
final class Application implements AutoCloseable
{
    static final String EPN_FILE = "META-INF/spring/app.context.xml";
    static final String CONFIG_FILE = "META-INF/wlevs/app.xml";
    /** The header has two lines, so that the body starts in line 3. */
    static final String HEADER = """
        <beans xmlns="http://www.springframework.org/schema/beans"
            xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
        """;
    static final String FOOTER = "</beans>\n";

    private final List<ConfigurationResource> assembly = new ArrayList<>();
    private final List<ConfigurationResource> configuration = new ArrayList<>();
    private final GenericApplicationContext context = new GenericApplicationContext();
    private final ApplicationAssembler assembler;

    /** Creates an application on a server that is in these groups. */
    Application(final String... groups)
    {
        assembler = new ApplicationAssembler("test.app", new TestPlatform(Set.of(groups), null));
    }

    /** Creates an application next to others on the same platform. */
    Application(final String name, final AdvertisedStages stages)
    {
        assembler = new ApplicationAssembler(name, new TestPlatform(Set.of(), stages));
    }

    Application assembly(final String body)
    {
        return assemblyFile(EPN_FILE, HEADER + body + FOOTER);
    }

    Application assemblyFile(final String name, final String text)
    {
        assembly.add(file(name, text));
        return this;
    }

    Application configuration(final String body)
    {
        return configurationFile(CONFIG_FILE,
            "<c:config xmlns:c=\"http://www.bea.com/ns/wlevs/config/application\">\n" + body + "</c:config>\n");
    }

    Application configurationFile(final String name, final String text)
    {
        configuration.add(file(name, text));
        return this;
    }

    Application with(final Map<String, Object> properties)
    {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        return this;
    }

    private static ConfigurationResource file(final String name, final String text)
    {
        return new ConfigurationResource(name, new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)));
    }

    Set<String> missingTypes()
    {
        return assembler.missingTypes();
    }

    GenericApplicationContext context()
    {
        return context;
    }

    NetworkDefinition define() throws DeploymentException
    {
        refresh();
        return assembler.define(context);
    }

    /** As {@link #define}, with adapters that are not created. */
    NetworkDefinition validate() throws DeploymentException
    {
        refresh();
        return assembler.define(context, new TestStages.FeedAdapter());
    }

    Network assemble() throws DeploymentException
    {
        refresh();
        return assembler.assemble(context);
    }

    private void refresh() throws DeploymentException
    {
        AssemblyReader.onClassPath(context, getClass().getClassLoader()).read(assembly);
        assembler.prepare(context, configuration);
        context.registerBean(PropertySourcesPlaceholderConfigurer.class);
        assembler.refresh(context);
    }

    /** The problems for which the application is refused. */
    List<Problem> refused()
    {
        try
        {
            define();
        }
        catch (final DeploymentException e)
        {
            return e.problems();
        }
        throw new AssertionError("the application was accepted");
    }

    /** The problems in short form: code and position. */
    List<String> refusedAt()
    {
        return refused().stream().map(problem -> problem.code() + " " + problem.position()).toList();
    }

    /** Expects exactly one problem at a position, and a hint. */
    void isRefusedAt(final String code, final String position, final String text, final String hint)
    {
        final List<Problem> problems = refused();
        assertThat(problems).extracting(problem -> problem.code() + " " + problem.position())
            .as("%s", problems).containsExactly(code + " " + position);
        assertThat(problems.get(0).text()).contains(text);
        assertThat(problems.get(0).hint()).contains(hint);
        assertThat(problems.get(0).excerpt()).isNotEmpty();
    }

    /** Expects exactly these problems, each as code and position. */
    void assertRefused(final String... codesAndPlaces)
    {
        final List<Problem> problems = refused();
        assertThat(problems).extracting(problem -> problem.code() + " " + problem.position())
            .as("%s", problems).containsExactly(codesAndPlaces);
    }

    static <T extends StageDefinition> T stage(
        final NetworkDefinition network, final String id, final Class<T> type)
    {
        return type.cast(network.stages().stream().filter(stage -> stage.id().equals(id)).findFirst().orElseThrow());
    }

    @Override
    public void close()
    {
        context.close();
    }
}
