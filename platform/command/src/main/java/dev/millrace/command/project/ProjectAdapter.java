package dev.millrace.command.project;

import java.util.Locale;

/**
 * Adapters that {@code app new} adds to a network: a source of the events of the first channel, and a sink of those of
 * each output channel. In the stages, {@code @type@} is replaced by the event type, {@code @channel@} by the channel
 * after a source, and {@code @name@} by the name of the project.
 */
enum ProjectAdapter
{
    CSV("Csv", "adapters/file", "reads the files `*.csv` of `var/@name@/@type@` in the domain, with a header",
        """
          <wlevs:adapter id="@type@FromCsv" provider="csv-inbound">
            <wlevs:instance-property name="directory" value="var/@name@/@type@"/>
            <wlevs:instance-property name="pattern" value="*.csv"/>
            <wlevs:listener ref="@channel@"/>
          </wlevs:adapter>
        """, "writes `var/@name@/@type@.csv` in the domain",
        """
          <wlevs:adapter id="@type@ToCsv" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/@name@/@type@.csv"/>
          </wlevs:adapter>
        """),
    FILE("File", "adapters/file", "reads the files `*.json` of `var/@name@/@type@` in the domain, an object per line",
        """
          <wlevs:adapter id="@type@FromFile" provider="file-inbound">
            <wlevs:instance-property name="directory" value="var/@name@/@type@"/>
            <wlevs:instance-property name="pattern" value="*.json"/>
            <wlevs:listener ref="@channel@"/>
          </wlevs:adapter>
        """, "writes `var/@name@/@type@.json` in the domain",
        """
          <wlevs:adapter id="@type@ToFile" provider="file-outbound">
            <wlevs:instance-property name="file" value="var/@name@/@type@.json"/>
          </wlevs:adapter>
        """),
    JDBC("Jdbc", "adapters/jdbc", "reads new rows of the table `@type@`, whose column `ID` increases, from the data " +
        "source `@name@` of `config.xml`",
        """
          <wlevs:adapter id="@type@FromJdbc" provider="jdbc-inbound">
            <wlevs:instance-property name="dataSource" value="${jdbc.dataSource:@name@}"/>
            <wlevs:instance-property name="table" value="@type@"/>
            <wlevs:instance-property name="positionColumn" value="ID"/>
            <wlevs:listener ref="@channel@"/>
          </wlevs:adapter>
        """, "inserts rows into the table `@type@` of the same data source",
        """
          <wlevs:adapter id="@type@ToJdbc" provider="jdbc">
            <wlevs:instance-property name="dataSource" value="${jdbc.dataSource:@name@}"/>
            <wlevs:instance-property name="table" value="@type@"/>
            <wlevs:instance-property name="eventTypeName" value="@type@"/>
          </wlevs:adapter>
        """),
    JMS("Jms", "adapters/jms", "receives messages of the queue `@type@` from the broker at `jms.url`; install the " +
        "client of the broker as a bundle",
        """
          <wlevs:adapter id="@type@FromJms" provider="jms-inbound">
            <wlevs:instance-property name="jndiFactory"
              value="org.apache.activemq.artemis.jndi.ActiveMQInitialContextFactory"/>
            <wlevs:instance-property name="jndiProviderUrl" value="${jms.url:tcp://127.0.0.1:61616}"/>
            <wlevs:instance-property name="connectionJndiName" value="ConnectionFactory"/>
            <wlevs:instance-property name="destinationJndiName" value="dynamicQueues/@type@"/>
            <wlevs:listener ref="@channel@"/>
          </wlevs:adapter>
        """, "sends to the queue `@type@` of the same broker",
        """
          <wlevs:adapter id="@type@ToJms" provider="jms-outbound">
            <wlevs:instance-property name="jndiFactory"
              value="org.apache.activemq.artemis.jndi.ActiveMQInitialContextFactory"/>
            <wlevs:instance-property name="jndiProviderUrl" value="${jms.url:tcp://127.0.0.1:61616}"/>
            <wlevs:instance-property name="connectionJndiName" value="ConnectionFactory"/>
            <wlevs:instance-property name="destinationJndiName" value="dynamicQueues/@type@"/>
          </wlevs:adapter>
        """),
    KAFKA("Kafka", "adapters/kafka", "reads the topic `@type@` of the brokers `kafka.servers`",
        """
          <wlevs:adapter id="@type@FromKafka" provider="kafka-inbound">
            <wlevs:instance-property name="servers" value="${kafka.servers:127.0.0.1:9092}"/>
            <wlevs:instance-property name="topics" value="@type@"/>
            <wlevs:listener ref="@channel@"/>
          </wlevs:adapter>
        """, "writes to the topic `@type@` of the same brokers",
        """
          <wlevs:adapter id="@type@ToKafka" provider="kafka-outbound">
            <wlevs:instance-property name="servers" value="${kafka.servers:127.0.0.1:9092}"/>
            <wlevs:instance-property name="topic" value="@type@"/>
          </wlevs:adapter>
        """),
    MQTT("Mqtt", "adapters/mqtt", "subscribes to the topic `@type@` of the broker at `mqtt.url`",
        """
          <wlevs:adapter id="@type@FromMqtt" provider="mqtt-inbound">
            <wlevs:instance-property name="url" value="${mqtt.url:tcp://127.0.0.1:1883}"/>
            <wlevs:instance-property name="topics" value="@type@"/>
            <wlevs:listener ref="@channel@"/>
          </wlevs:adapter>
        """, "publishes to the topic `@type@` of the same broker",
        """
          <wlevs:adapter id="@type@ToMqtt" provider="mqtt-outbound">
            <wlevs:instance-property name="url" value="${mqtt.url:tcp://127.0.0.1:1883}"/>
            <wlevs:instance-property name="topic" value="@type@"/>
          </wlevs:adapter>
        """),
    PARQUET("Parquet", "adapters/file", "reads the files `*.parquet` of `var/@name@/@type@` in the domain",
        """
          <wlevs:adapter id="@type@FromParquet" provider="parquet-inbound">
            <wlevs:instance-property name="directory" value="var/@name@/@type@"/>
            <wlevs:instance-property name="pattern" value="*.parquet"/>
            <wlevs:listener ref="@channel@"/>
          </wlevs:adapter>
        """, "writes `var/@name@/@type@-000001.parquet` and further files in the domain",
        """
          <wlevs:adapter id="@type@ToParquet" provider="parquet-outbound">
            <wlevs:instance-property name="file" value="var/@name@/@type@.parquet"/>
            <wlevs:instance-property name="eventTypeName" value="@type@"/>
          </wlevs:adapter>
        """),
    PUBSUB("Pubsub", "adapters/http", "receives messages of the channel `/@type@`; `config.xml` must contain " +
        "`<http-pubsub>`",
        """
          <wlevs:adapter id="@type@FromPubsub" provider="httpsub">
            <wlevs:instance-property name="channel" value="/@type@"/>
            <wlevs:listener ref="@channel@"/>
          </wlevs:adapter>
        """, "publishes to the channel `/@type@`",
        """
          <wlevs:adapter id="@type@ToPubsub" provider="httppub">
            <wlevs:instance-property name="channel" value="/@type@"/>
          </wlevs:adapter>
        """),
    REST("Rest", "adapters/http", "accepts POST requests at the path `/@type@`; `config.xml` must contain a " +
        "`<jetty>` with the purpose `events`",
        """
          <wlevs:adapter id="@type@FromRest" provider="rest-inbound">
            <wlevs:instance-property name="contextPath" value="/@type@"/>
            <wlevs:listener ref="@channel@"/>
          </wlevs:adapter>
        """, "sends POST requests to `rest.url`",
        """
          <wlevs:adapter id="@type@ToRest" provider="rest-outbound">
            <wlevs:instance-property name="url" value="${rest.url:http://127.0.0.1:8080}/@type@"/>
          </wlevs:adapter>
        """),
    SOCKET("Socket", "adapters/loadgen", "accepts connections of the clients for Java and Python, of the load " +
        "generator and of programs that send CSV, at the port `socket.port`",
        """
          <wlevs:adapter id="@type@FromSocket" provider="socket">
            <wlevs:instance-property name="port" value="${socket.port:9001}"/>
            <wlevs:listener ref="@channel@"/>
          </wlevs:adapter>
        """, "", "");

    /** Part of the ids of its stages. */
    final String label;
    /** Directory of its page in the documents. */
    final String page;
    final String sourceDescription;
    final String source;
    final String sinkDescription;
    /** Empty if it has no sink. */
    final String sink;

    ProjectAdapter(final String label, final String page, final String sourceDescription, final String source,
        final String sinkDescription, final String sink)
    {
        this.label = label;
        this.page = page;
        this.sourceDescription = sourceDescription;
        this.source = source;
        this.sinkDescription = sinkDescription;
        this.sink = sink;
    }

    /** Returns the name on the command line. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
