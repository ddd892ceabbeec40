package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.instance.DomainTemplate;
import dev.millrace.command.instance.Ports;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The effect of a processor set on the start script, as a dry run; the operating system may be simulated. */
@Timeout(300)
class ProcessorSetIT
{
    private static final int USAGE = 64;

    /** Knows only processor set 1, with the output of psrset. */
    private static final String PSRSET = """
        #!/bin/sh
        if [ "$1 $2" = "-i 1" ]; then echo "user processor set 1: processors 0 1 2"; exit 0; fi
        echo "psrset: cannot get info for processor set $2: Invalid argument" >&2
        exit 1
        """;

    @TempDir
    private Path directory;

    private Path domain;

    private PretendedPrograms programs;

    @BeforeEach
    void makeDomain() throws IOException
    {
        programs = new PretendedPrograms(directory.resolve("bin"));
        domain = DomainTemplate.create(Product.HOME, directory.resolve("server"), new Ports(3, 1, 2), 0).directory();
    }

    private Result start(final String set, final String... arguments) throws IOException, InterruptedException
    {
        final Path script = domain.resolve("startwlevs.sh");
        Files.writeString(script, Files.readString(script)
            .replaceFirst("(?m)^PROCESSOR_SET=.*$", "PROCESSOR_SET=\"" + set + "\""));
        return Product.run(programs.environment(), script, arguments);
    }

    private void assertRefused(final String set, final String code, final String fact)
        throws IOException, InterruptedException
    {
        // Not a dry run: Java would start if the set were not rejected before.
        final Result result = start(set);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(USAGE);
        assertThat(result.output()).startsWith(code + ": ").contains(fact, "PROCESSOR_SET=" + set, "hint: ");
        assertThat(domain.resolve("var")).doesNotExist();
    }

    @Test
    void shouldSayWhatIsPossibleAndStartNothingWhenAskedForHelpOrGivenAWord() throws Exception
    {
        final Result help = start("", "-help");
        assertThat(help.exitCode()).as(help.output()).isZero();
        assertThat(help.output()).contains("usage: ./startwlevs.sh").contains("-dryrun").doesNotContain("java [");
        final Result word = start("", "defaultserver1");
        assertThat(word.exitCode()).as(word.output()).isEqualTo(USAGE);
        assertThat(word.output()).startsWith("CMD-0013: ").contains("argument=defaultserver1", "hint: ");
        assertThat(domain.resolve("var")).doesNotExist();
    }

    @Test
    void shouldRefuseWhatIsNoPortBeforeJavaStarts() throws Exception
    {
        for (final String port : new String[] {"-Dloadgen.port=x", "-Dloadgen.port=", "-Dloadgen.port",
            "-Dtimesync.port=-1", "-Dtimesync.port=65536", "-Dloadgen.port=900 1", "-Dmy.port=000000080"})
        {
            final Result refused = start("", port);
            assertThat(refused.exitCode()).as(refused.output()).isEqualTo(USAGE);
            assertThat(refused.output()).startsWith("CMD-0014: not a port, " + port.substring(2)).contains("hint: ");
        }
        assertThat(start("", "-dryrun", "-Dloadgen.port=65535", "-Dtimesync.port=0", "-Dtransport=x").exitCode())
            .isZero();
        final Path script = domain.resolve("startwlevs.sh");
        Files.writeString(script, Files.readString(script).replace("loadgen.port=1 ", "loadgen.port=l "));
        final Result edited = start("");
        assertThat(edited.exitCode()).as(edited.output()).isEqualTo(USAGE);
        assertThat(edited.output()).startsWith("CMD-0014: not a port, loadgen.port=l domain=" + domain);
        assertThat(domain.resolve("var")).doesNotExist();
    }

    @Test
    void shouldPrintTheCommandAndChangeNothingWhenItIsADryRun() throws Exception
    {
        final Result result = start("", "-Dfirst=a b", "-dryrun", "-Dlast=it's");
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).startsWith(System.getProperty("java.home")).contains(
            " -Dloadgen.port=1 -Dtimesync.port=2 ", " -Dwlevs.domain.home=" + domain + " ", " '-Dfirst=a b' ",
            " '-Dlast=it'\\''s' ", "/lib/*' dev.millrace.launcher.Main").doesNotContain("dryrun", "taskset");
        assertThat(domain.resolve("var")).doesNotExist();
        assertThat(domain.resolve("logs")).doesNotExist();
    }

    @Test
    void shouldBindByTasksetWhereThatIsHowItIsDone() throws Exception
    {
        programs.addSystem("Linux");
        programs.add("taskset", "#!/bin/sh\necho 0-63\n");
        for (final String set : new String[] {"0", "0-3", "0,2", "4-7,12,60-63"})
        {
            final Result result = start(set, "-dryrun");
            assertThat(result.output()).startsWith("taskset -c " + set + " " + System.getProperty("java.home"));
            assertThat(result.exitCode()).isZero();
        }
        assertRefused("62-65", "CMD-0007", "processors=64,65 ");
    }

    @Test
    void shouldBindByPsrsetOnSolaris() throws Exception
    {
        programs.addSystem("SunOS");
        programs.add("psrset", PSRSET);
        final Result result = start("1", "-dryrun");
        assertThat(result.output())
            .startsWith(directory.resolve("bin/psrset") + " -e 1 " + System.getProperty("java.home"));
        assertThat(result.exitCode()).isZero();
        assertRefused("2", "CMD-0007", "no such processor set");
        assertRefused("0-3", "CMD-0008", "invalid number of a processor set");
    }

    @Test
    void shouldRefuseBeforeJavaStartsWhenTheSetCannotBeHad() throws Exception
    {
        programs.addSystem("Linux");
        assertRefused("9998,9999", "CMD-0007", "processors=9998,9999 ");
        for (final String bad : new String[] {"a", "0-", "-1", "0,,1", "0 1", "08", "0-3-5", "1;reboot"})
        {
            assertRefused(bad, "CMD-0008", "invalid list of processors");
        }
        assertRefused("3-1", "CMD-0008", "range=3-1");
        programs.addSystem("Plan9");
        assertRefused("0", "CMD-0009", "system=Plan9");
    }

    @Test
    void shouldBindALoadGeneratorAsAnInstance() throws Exception
    {
        final Path script = Product.HOME.loadGenerator();
        programs.environment().put("LOADGEN_PROCESSOR_SET", "9999");
        final Result refused = Product.run(programs.environment(), script, "none.prop");
        assertThat(refused.exitCode()).as(refused.output()).isEqualTo(USAGE);
        assertThat(refused.output()).startsWith("CMD-0007: ").contains("PROCESSOR_SET=9999");
        programs.addSystem("Linux");
        programs.add("taskset", "#!/bin/sh\nif [ \"$3\" = sed ]; then echo 0-63; else echo bound \"$2\"; fi\n");
        programs.environment().put("LOADGEN_PROCESSOR_SET", "62,63");
        assertThat(Product.run(programs.environment(), script, "none.prop").output()).startsWith("bound 62,63");
    }
}
