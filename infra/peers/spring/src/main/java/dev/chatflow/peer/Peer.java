package dev.chatflow.peer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

/** Rooms as topics of Spring's own STOMP broker, with both settings that keep the order of messages. */
@SpringBootApplication
@EnableWebSocketMessageBroker
public class Peer implements WebSocketMessageBrokerConfigurer {

  public static void main(String[] arguments) {
    SpringApplication.run(Peer.class, arguments);
  }

  @Override
  public void registerStompEndpoints(StompEndpointRegistry registry) {
    registry.addEndpoint("/stomp").setAllowedOriginPatterns("*");
    registry.setPreserveReceiveOrder(true);
  }

  @Override
  public void configureMessageBroker(MessageBrokerRegistry registry) {
    registry.enableSimpleBroker("/topic");
    registry.setPreservePublishOrder(true);
  }
}
