package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each sample runs with one command; its results are those that plain loops over its data find. */
@Timeout(300)
class SamplesIT
{
    private static final double EARTH_RADIUS = 6_371_000;

    @TempDir
    private Path directory;

    /** The results that the command prints. */
    private List<JsonObject> demo(final String... arguments) throws IOException, InterruptedException
    {
        final Path temporary = Files.createDirectory(directory.resolve("tmp"));
        final Result result = Product.run(Product.unoptimized(temporary),
            Product.HOME.directory().resolve("bin/millrace"),
            Stream.concat(Stream.of("demo"), Stream.of(arguments)).toArray(String[]::new));
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(temporary).isEmptyDirectory();
        assertThat(Product.processes(temporary.toString())).isEmpty();
        return result.output().lines().filter(line -> line.startsWith("  {"))
            .map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
    }

    private static List<String[]> rows(final String file) throws IOException
    {
        return Files.readAllLines(Product.HOME.samples().resolve(file)).stream().map(line -> line.split(","))
            .filter(fields -> Character.isDigit(fields[0].charAt(0))).toList();
    }

    private static List<String> shown(final List<JsonObject> results, final String... members)
    {
        return results.stream().filter(each -> Stream.of(members).allMatch(each::has)).map(each -> Stream.of(members)
            .map(member -> text(each, member)).collect(Collectors.joining(" "))).toList();
    }

    private static String text(final JsonObject result, final String member)
    {
        final boolean isReal = result.getAsJsonPrimitive(member).isNumber() && !"at".equals(member);
        return isReal ? real(result.get(member).getAsDouble()) : result.get(member).getAsString();
    }

    private static String real(final double value)
    {
        return String.format(Locale.ROOT, "%.6f", value);
    }

    @Test
    void shouldListAllSamples() throws Exception
    {
        final Result result = Product.millrace("demo", "--list");
        assertThat(result.exitCode()).isZero();
        try (Stream<Path> directories = Files.list(Product.HOME.samples()))
        {
            final List<String> names = directories.filter(Files::isDirectory)
                .map(each -> each.getFileName().toString()).toList();
            assertThat(names).hasSizeGreaterThan(4);
            assertThat(result.output()).contains(names);
        }
    }

    @Test
    void shouldGreetEverySecondNumber() throws Exception
    {
        assertThat(shown(demo("helloworld"), "message", "number")).containsExactly("Hello World 2.000000",
            "Hello World 4.000000", "Hello World 6.000000", "Hello World 8.000000", "Hello World 10.000000");
    }

    @Test
    void shouldComputeCrossRatesAndFindOpportunities() throws Exception
    {
        final List<JsonObject> results = demo("foreign-exchange");
        final List<String> rates = new ArrayList<>();
        final List<String> opportunities = new ArrayList<>();
        expectExchange(rates, opportunities);
        assertThat(rates).hasSizeGreaterThan(100);
        assertThat(opportunities).hasSizeGreaterThan(20);
        assertThat(shown(results, "base", "quote", "rate")).containsExactlyInAnyOrderElementsOf(rates);
        assertThat(shown(results, "base", "quote", "direct", "crossed", "percent"))
            .containsExactlyInAnyOrderElementsOf(opportunities);
    }

    /** Instant by instant: all pairs of the latest quotes, and those that were not there in the instant before. */
    private static void expectExchange(final List<String> rates, final List<String> opportunities) throws IOException
    {
        final Map<Long, List<String[]>> instants = new TreeMap<>();
        long end = Long.MAX_VALUE;
        for (final String market : List.of("europe", "asia", "america"))
        {
            long last = 0;
            for (final String[] quote : rows("foreign-exchange/data/" + market + ".csv"))
            {
                last = Long.parseLong(quote[0]);
                instants.computeIfAbsent(last, at -> new ArrayList<>())
                    .add(new String[]{market, quote[1], quote[2], quote[3]});
            }
            end = Math.min(end, last);
        }
        final Map<String, Double> latest = new HashMap<>();
        List<String> ratesBefore = List.of();
        List<String> opportunitiesBefore = List.of();
        for (final Map.Entry<Long, List<String[]>> instant : instants.entrySet())
        {
            if (instant.getKey() >= end)
            {
                return;
            }
            instant.getValue().forEach(quote -> latest.put(quote[0] + ' ' + quote[1] + ' ' + quote[2],
                Double.parseDouble(quote[3])));
            final List<String> ratesNow = new ArrayList<>();
            final List<String> opportunitiesNow = new ArrayList<>();
            cross(latest, ratesNow, opportunitiesNow);
            rates.addAll(added(ratesNow, ratesBefore));
            opportunities.addAll(added(opportunitiesNow, opportunitiesBefore));
            ratesBefore = ratesNow;
            opportunitiesBefore = opportunitiesNow;
        }
    }

    private static void cross(
        final Map<String, Double> latest, final List<String> rates, final List<String> opportunities)
    {
        for (final String base : List.of("EUR", "GBP", "CHF"))
        {
            for (final String quote : List.of("JPY", "SGD", "INR"))
            {
                final Double dollars = latest.get("europe " + base + " USD");
                final Double dollar = latest.get("asia USD " + quote);
                if (dollars == null || dollar == null)
                {
                    continue;
                }
                final double crossed = dollars * dollar;
                rates.add(base + ' ' + quote + ' ' + real(crossed));
                final double direct = latest.getOrDefault("america " + base + ' ' + quote, crossed);
                if (Math.abs(direct / crossed - 1) > 0.002)
                {
                    opportunities.add(String.join(" ", base, quote, real(direct), real(crossed),
                        real(100 * (direct / crossed - 1))));
                }
            }
        }
    }

    private static List<String> added(final List<String> now, final List<String> before)
    {
        final List<String> added = new ArrayList<>(now);
        before.forEach(added::remove);
        return added;
    }

    @Test
    void shouldFindVehiclesThatCrossTheZoneOrAreTooFast() throws Exception
    {
        final List<JsonObject> results = demo("vehicle-tracking");
        final List<String> crossings = new ArrayList<>();
        final Map<String, Double> speeds = new TreeMap<>();
        final Map<String, String[]> before = new HashMap<>();
        for (final String[] now : rows("vehicle-tracking/data/positions.csv"))
        {
            final String[] last = before.put(now[1], now);
            if (last == null)
            {
                continue;
            }
            if (isInside(last) != isInside(now))
            {
                crossings.add(now[1] + ' ' + now[0] + (isInside(now) ? " entered" : " left"));
            }
            final double kmh = 3600 * meters(last, now) / (Long.parseLong(now[0]) - Long.parseLong(last[0]));
            if (kmh > 60)
            {
                speeds.put(now[1] + ' ' + now[0], kmh);
            }
        }
        assertThat(crossings).hasSize(4);
        assertThat(shown(results, "vehicle", "at", "event")).containsExactlyInAnyOrderElementsOf(crossings);
        assertThat(speeds).hasSizeGreaterThan(3);
        final List<JsonObject> fast = results.stream().filter(each -> each.has("kmh")).toList();
        assertThat(shown(fast, "vehicle", "at")).containsExactlyElementsOf(speeds.keySet());
        // A sphere instead of the ellipsoid.
        fast.forEach(each -> assertThat(each.get("kmh").getAsDouble()).isCloseTo(
            speeds.get(text(each, "vehicle") + ' ' + text(each, "at")), withPercentage(0.6)));
    }

    /** Counts the edges of the zone that a ray to the east crosses. */
    private static boolean isInside(final String[] position)
    {
        final double[][] zone = {{9.98, 53.534}, {10.005, 53.536}, {10.008, 53.546}, {9.982, 53.545}};
        final double x = Double.parseDouble(position[2]);
        final double y = Double.parseDouble(position[3]);
        boolean isInside = false;
        for (int i = 0; i < zone.length; i++)
        {
            final double[] from = zone[i];
            final double[] to = zone[(i + 1) % zone.length];
            if (from[1] > y != to[1] > y && x < from[0] + (y - from[1]) * (to[0] - from[0]) / (to[1] - from[1]))
            {
                isInside = !isInside;
            }
        }
        return isInside;
    }

    private static double meters(final String[] from, final String[] to)
    {
        final double latitude = Math.toRadians(Double.parseDouble(from[3]));
        final double north = Math.toRadians(Double.parseDouble(to[3])) - latitude;
        final double east = Math.toRadians(Double.parseDouble(to[2]) - Double.parseDouble(from[2]));
        return EARTH_RADIUS * Math.hypot(north, east * Math.cos(latitude));
    }

    @Test
    void shouldFindFraudInTheTopicsOfABroker() throws Exception
    {
        final Map<String, List<String[]>> payments = rows("fraud-detection/data/payments.csv").stream()
            .collect(Collectors.groupingBy(payment -> payment[1]));
        final List<String> expected = new ArrayList<>();
        payments.forEach((card, all) ->
        {
            for (int i = 1; i < all.size(); i++)
            {
                if (!all.get(i)[2].equals(all.get(i - 1)[2]) && millis(all.get(i - 1), all.get(i)) <= 600_000)
                {
                    expected.add(card + ' ' + all.get(i)[0] + " two countries " + real(amount(all.get(i))));
                }
                if (i > 2 && all.subList(i - 3, i).stream().allMatch(each -> amount(each) < 2) &&
                    amount(all.get(i)) > 500 && millis(all.get(i - 3), all.get(i)) <= 60_000)
                {
                    expected.add(card + ' ' + all.get(i)[0] + " card testing " + real(amount(all.get(i))));
                }
            }
        });
        assertThat(expected).hasSizeGreaterThan(3);
        try (BrokerProcess broker = new BrokerProcess(directory.resolve("broker")))
        {
            broker.createTopics(Map.of("millrace.payments", 3, "millrace.alerts", 1));
            assertThat(shown(demo("fraud-detection", "--bootstrap", broker.servers()), "card", "at", "reason",
                "amount")).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static double amount(final String[] payment)
    {
        return Double.parseDouble(payment[3]);
    }

    private static long millis(final String[] from, final String[] to)
    {
        return Long.parseLong(to[0]) - Long.parseLong(from[0]);
    }

    @Test
    void shouldExplainHowToStartABroker() throws Exception
    {
        final Result result = Product.millrace("demo", "fraud-detection", "--bootstrap", "127.0.0.1:1");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("CMD-0291: no Kafka broker, --bootstrap=127.0.0.1:1", "docker run",
            "--bootstrap HOST:PORT");
    }

    @Test
    void shouldRejectUnknownNamesAndOptionsThatDoNotApply() throws Exception
    {
        final Result unknown = Product.millrace("demo", "nothing");
        assertThat(unknown.exitCode()).isEqualTo(64);
        assertThat(unknown.output()).contains("CMD-0290: no such sample, name=nothing", "helloworld");
        final Result rate = Product.millrace("demo", "helloworld", "--rate", "5");
        assertThat(rate.exitCode()).isEqualTo(64);
        assertThat(rate.output()).contains("CMD-0296: the option does not apply, option=--rate sample=helloworld");
        final Result broker = Product.millrace("demo", "--broker", "tcp://127.0.0.1:1");
        assertThat(broker.exitCode()).isEqualTo(64);
        assertThat(broker.output()).contains("CMD-0296").contains("sample=Signal Generation");
        assertThat(Product.millrace("demo", "sensor-monitoring", "--broker", "tcp://127.0.0.1:1").output())
            .contains("CMD-0292: no MQTT broker, --broker=tcp://127.0.0.1:1 reason=");
    }

    @Test
    void shouldFindHotMachines() throws Exception
    {
        final Map<String, List<String[]>> readings = rows("sensor-monitoring/data/readings.csv").stream()
            .collect(Collectors.groupingBy(reading -> reading[1]));
        final List<String> expected = new ArrayList<>();
        readings.forEach((machine, all) ->
        {
            for (int i = 3; i < all.size(); i++)
            {
                final String prefix = machine + ' ' + all.get(i)[0];
                if (isRising(all.subList(i - 3, i + 1)))
                {
                    expected.add(prefix + " rising " + real(celsius(all.get(i))));
                }
                final double average = all.subList(Math.max(0, i - 4), i + 1).stream().mapToDouble(SamplesIT::celsius)
                    .average().orElseThrow();
                if (i > 3 && average > 80)
                {
                    expected.add(prefix + " hot " + real(average));
                }
            }
        });
        assertThat(expected).hasSizeGreaterThan(5);
        assertThat(shown(demo("sensor-monitoring"), "machine", "at", "reason", "celsius"))
            .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static double celsius(final String[] reading)
    {
        return Double.parseDouble(reading[2]);
    }

    private static boolean isRising(final List<String[]> readings)
    {
        for (int i = 1; i < readings.size(); i++)
        {
            if (celsius(readings.get(i)) - celsius(readings.get(i - 1)) < 1)
            {
                return false;
            }
        }
        return true;
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
