package dev.millrace.cql.processor;

import static dev.millrace.cql.processor.TestApplication.ASSEMBLY;
import static dev.millrace.cql.processor.TestApplication.ASSEMBLY_FILE;
import static dev.millrace.cql.processor.TestApplication.CONFIGURATION;
import static dev.millrace.cql.processor.TestApplication.CONFIGURATION_FILE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millrace.network.NetworkState;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors in one application are refused with code, position and next step, and another application continues. */
@Tag("slow")
@Timeout(180)
class BadInputTest
{
    private static final String CACHE = """
          <wlevs:cache id="symbols"><wlevs:cache-loader>
            <bean class="dev.millrace.samples.signalgeneration.SymbolsCacheLoader">
              <property name="path" value="%s"/></bean></wlevs:cache-loader></wlevs:cache>
        </beans>
        """;

    @TempDir
    private Path directory;

    private TestApplication good;

    @BeforeEach
    void startGoodOne() throws Exception
    {
        good = new TestApplication("good.app", ASSEMBLY, CONFIGURATION);
        good.passesOn("BEFORE");
    }

    @AfterEach
    void stopGoodOne()
    {
        good.close();
    }

    /**
     * The file with the error, correct text, wrong text, the text at the reported position; code, message, next step.
     */
    static Stream<Arguments> faults()
    {
        return Stream.of(
            arguments(CONFIGURATION_FILE, "where price", "wher price", "wher price", "CQL-1014", "'wher'", "WHERE?"),
            arguments(CONFIGURATION_FILE, "ticks[now]", "tikcs[now]", "tikcs[now]", "CQL-2001", "tikcs", "ticks?"),
            arguments(CONFIGURATION_FILE, "symbol, price", "symbol, prize", "prize", "CQL-2002", "prize", "price?"),
            arguments(ASSEMBLY_FILE, "ref=\"rules\"", "ref=\"rulse\"", "ref=\"rulse\"", "EPN-1207", "ref=rulse",
                "did you mean 'rules'?"),
            arguments(ASSEMBLY_FILE, "provider=\"loadgen\"", "provider=\"laodgen\"", "provider=", "EPN-1209",
                "provider=laodgen", "did you mean 'loadgen'?"),
            arguments(ASSEMBLY_FILE, "id=\"rules\"", "id=\"rules\" provider=\"cqll\"", "provider=\"cqll\"", "EPN-1209",
                "provider=cqll", "cql"),
            arguments(ASSEMBLY_FILE, "id=\"dear\" event-type=\"Tick\"", "id=\"dear\" event-type=\"Tikc\"",
                "event-type=\"Tikc\"", "EPN-1208", "name=Tikc", "did you mean 'Tick'?"),
            arguments(ASSEMBLY_FILE, "<beans ", "<!DOCTYPE beans [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><beans ",
                "<!DOCTYPE", "EPN-1102", "DOCTYPE", "remove"),
            arguments(ASSEMBLY_FILE, "ns/wlevs/spring\"", "ns/wlevs/sprng\"", "<wlevs:event-type-repository>",
                "EPN-1205", "namespace=http://www.bea.com/ns/wlevs/sprng", "ns/wlevs/spring'?"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void shouldRefuseAtTheExactPlaceAndLetTheOtherGoOn(final String file, final String right, final String wrong,
        final String shownAt, final String code, final String text, final String nextStep) throws Exception
    {
        final boolean inAssembly = file.equals(ASSEMBLY_FILE);
        final String faulty = (inAssembly ? ASSEMBLY : CONFIGURATION).replace(right, wrong);
        final Problem problem = refused(inAssembly ? faulty : ASSEMBLY, inAssembly ? CONFIGURATION : faulty);

        assertThat(problem.code()).as(problem.format()).isEqualTo(code);
        assertThat(problem.position()).as(problem.format()).hasToString(file + ':' + place(faulty, shownAt));
        assertThat(problem.text() + ' ' + problem.hint()).contains(text, nextStep);
        assertThat(problem.excerpt()).isNotBlank();
        good.passesOn("AFTER");
    }

    /** A statement whose planning would take minutes: stopped after five seconds of work. */
    @Test
    @Timeout(240)
    void shouldStopPlanningAtItsPlaceAndLetTheOtherGoOn() throws Exception
    {
        final String columns = IntStream.range(0, 900).mapToObj(i -> "<wlevs:property name=\"c" + i +
            "\" type=\"int\"/>").collect(Collectors.joining());
        final String assembly = ASSEMBLY.replace("<wlevs:property name=\"symbol\"", columns +
            "<wlevs:property name=\"symbol\"");
        final String sources = IntStream.range(0, 9).mapToObj(i -> "ticks[now] as t" + i)
            .collect(Collectors.joining(", "));
        final String endless = IntStream.range(0, 190).mapToObj(i -> "(select t0.* from " + sources +
            " where t0.price > " + i + ")").collect(Collectors.joining(" union "));
        final String configuration = CONFIGURATION.replace("RStream(select symbol, price from ticks[now] where " +
            "price > 100.0)", "<![CDATA[" + endless + "]]>");
        final CompletableFuture<Problem> refusal =
            CompletableFuture.supplyAsync(() -> refused(assembly, configuration));
        for (int i = 0; !refusal.isDone(); i++)
        {
            good.passesOn("WHILE" + i);
        }

        final Problem problem = refusal.get();
        assertThat(problem.code()).as(problem.format()).isEqualTo("CQL-9003");
        assertThat(problem.text() + ' ' + problem.hint()).contains("5000 ms", "views");
        assertThat(problem.position()).hasToString(CONFIGURATION_FILE + ':' + place(configuration, "(select t0"));
        assertThat(problem.excerpt()).isNotBlank();
        good.passesOn("AFTER");
    }

    private static Problem refused(final String assembly, final String configuration)
    {
        final DeploymentException refused = catchThrowableOfType(DeploymentException.class,
            () -> new TestApplication("bad.app", assembly, configuration).close());
        assertThat(refused).as("the application must be refused").isNotNull();
        return refused.problems().get(0);
    }

    /** Line and column of the first occurrence of a text; for an attribute, of its value. */
    private static String place(final String file, final String part)
    {
        final int quote = part.startsWith("<") ? -1 : part.indexOf('=');
        final int at = file.indexOf(part) + (quote < 0 ? 0 : quote + 2);
        return file.substring(0, at).chars().filter(c -> c == '\n').count() + 1 + ":" +
            (at - file.lastIndexOf('\n', at - 1));
    }

    @Test
    void shouldRefuseAMissingAndAMalformedSymbolsFileAndLetTheOtherGoOn() throws Exception
    {
        final Path symbols = directory.resolve("symbols.txt");
        final String assembly = ASSEMBLY.replace("</beans>\n", CACHE.formatted(symbols));

        final Problem missing = refused(assembly, CONFIGURATION);
        assertThat(missing.code()).isEqualTo("EPN-0515");
        assertThat(missing.position()).hasToString(ASSEMBLY_FILE + ':' + place(assembly, "<wlevs:cache id"));
        assertThat(missing.text()).contains("cache=symbols", "symbols file is missing, file=" + symbols, "create it");

        Files.writeString(symbols, "ABC\nDE F\n");
        final Problem malformed = refused(assembly, CONFIGURATION);
        assertThat(malformed.code()).isEqualTo("EPN-0515");
        assertThat(malformed.text()).contains("malformed", symbols + " line=2", "write one symbol per line");

        Files.writeString(symbols, "ABC\nDEF\n");
        new TestApplication("mended.app", assembly, CONFIGURATION).close();
        good.passesOn("AFTER");
    }

    @Test
    void shouldRefuseAPortThatAnotherApplicationHasAndLetThatOneGoOn() throws Exception
    {
        final String assembly = ASSEMBLY.replace(
            "name=\"port\" value=\"0\"", "name=\"port\" value=\"" + good.port() + '"');

        final Problem problem = refused(assembly, CONFIGURATION);

        assertThat(problem.code()).isEqualTo("EPN-0516");
        assertThat(problem.position()).hasToString(ASSEMBLY_FILE + ':' + place(assembly, "<wlevs:adapter"));
        assertThat(problem.text()).contains("LDG-0101", "stage=feed", "port=" + good.port(), "loadgen.port");
        good.passesOn("AFTER");
    }

    @Test
    void shouldGoOnWhenASinkThrowsOrAStreamIsDamaged() throws Exception
    {
        final String assembly = ASSEMBLY.replace("TestApplication$Sink", "TestApplication$FailingSink");
        try (TestApplication failing = new TestApplication("failing.app", assembly, CONFIGURATION))
        {
            try (Socket socket = failing.connect())
            {
                socket.getOutputStream().write("A,200\nB,price\nC\nD,300\n".getBytes(StandardCharsets.US_ASCII));
                Waiting.until("rows were rejected", () -> failing.network().statistics().toString()
                    .contains("rejectedBy={stage-failed=2}"));
            }
            try (Socket socket = failing.connect())
            {
                socket.getOutputStream().write(new byte[] {0, 'N', 'O', 'T', 'M', 'I', 'N', 'E'});
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("LDG-0221", "use the load generator");
            }
            assertThat(failing.network().statistics().toString())
                .contains("not-a-number=1", "wrong-column-count=1", "unknown-protocol=1");
            assertThat(failing.network().state()).isEqualTo(NetworkState.DEGRADED);
            good.passesOn("AFTER");
        }
        good.passesOn("AFTERWARDS");
    }
}
