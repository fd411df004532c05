package dev.chatflow.broker.testing;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All available brokers, fresh for each test class and shared by its {@link BrokerTest} methods.
 *
 * <p>The embedded one is always included, and RabbitMQ if it is installed: a node started by the
 * tests, or those in the environment variable {@code CHATFLOW_TEST_RABBITMQ}, given as management
 * URLs with user and password, separated by commas, such as {@code
 * http://guest:guest@127.0.0.1:15672}. The AMQP port is queried there. One that does not answer
 * fails the tests; an empty variable leaves RabbitMQ out.
 */
public final class TestBrokers implements TestTemplateInvocationContextProvider, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(TestBrokers.class);
  private static final String VARIABLE = "CHATFLOW_TEST_RABBITMQ";
  private static final AtomicBoolean LISTED = new AtomicBoolean();

  private final List<TestBroker> brokers = new ArrayList<>();

  /** Starts no broker; {@link #start} does. For JUnit. */
  public TestBrokers() {}

  /** Starts every broker, for use without JUnit. */
  public static TestBrokers start() {
    TestBrokers started = new TestBrokers();
    started.brokers.add(EmbeddedTestBroker.start());
    for (URI management : rabbits()) {
      started.brokers.add(RabbitTestBroker.start(management));
    }
    if (LISTED.compareAndSet(false, true)) {
      log.info("brokers under test: {}; {} may name RabbitMQ ones", started.brokers, VARIABLE);
    }
    return started;
  }

  private static List<URI> rabbits() {
    String named = System.getenv(VARIABLE);
    if (named == null) {
      return RabbitNode.isInstalled() ? List.of(RabbitNode.sharedManagement()) : List.of();
    }
    return Stream.of(named.split(",", -1)).filter(u -> !u.isBlank()).map(URI::create).toList();
  }

  public List<TestBroker> all() {
    return List.copyOf(brokers);
  }

  @Override
  public void close() {
    brokers.forEach(TestBroker::close);
  }

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    ExtensionContext testClass = context.getParent().orElseThrow();
    TestBrokers ofClass =
        testClass
            .getStore(ExtensionContext.Namespace.create(TestBrokers.class))
            .getOrComputeIfAbsent(TestBrokers.class, _ -> start(), TestBrokers.class);
    return ofClass.all().stream().map(Invocation::new);
  }

  private record Invocation(TestBroker broker) implements TestTemplateInvocationContext {
    @Override
    public String getDisplayName(int index) {
      return broker.name();
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(new Parameter(broker));
    }
  }

  private record Parameter(TestBroker broker) implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == TestBroker.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return broker;
    }
  }
}
